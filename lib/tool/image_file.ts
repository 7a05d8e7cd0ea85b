import { imageType, isCompleteImage } from "../content/image.ts";
import { inOneLine } from "../content/text.ts";
import { BubError } from "../errors.ts";
import { type FileReader, readBounded } from "./bounded_file.ts";
import type { InlineMedia } from "./output.ts";

/** F2; providers take no more. */
export const MAX_IMAGE_MIB = 10;

/** An image that models can be shown, from a file (F2). Throws as `imageMedia` and `readBounded` do. */
export async function readImage(
  path: string,
  files: FileReader,
  signal: AbortSignal,
): Promise<InlineMedia> {
  const data = await readBounded(path, files, { maxMiB: MAX_IMAGE_MIB, signal });
  return imageMedia(data, path);
}

/**
 * Bytes as an image for models: what they begin with decides the type. Throws `tool` for what is no
 * PNG, JPEG, WebP or GIF, and for one that is cut short; `name` is what the error calls it.
 */
export function imageMedia(data: Uint8Array<ArrayBuffer>, name: string): InlineMedia {
  const mediaType = imageType(data);
  if (mediaType === undefined) {
    throw new BubError(
      "tool",
      `${name} holds no PNG, JPEG, WebP or GIF; it starts with ` +
        JSON.stringify(new TextDecoder("latin1").decode(data.subarray(0, 16))),
    );
  }
  if (!isCompleteImage(data, mediaType)) {
    throw new BubError("tool", `${name} is an ${mediaType} that is cut short or damaged`);
  }
  return { mediaType, data, label: mediaLabel(mediaType, data, name) };
}

/** Type, size and name in one line. */
export function mediaLabel(mediaType: string, data: Uint8Array, name: string): string {
  const size = `${data.length} ${data.length === 1 ? "byte" : "bytes"}`;
  return inOneLine(`${mediaType}, ${size}, ${name}`);
}
