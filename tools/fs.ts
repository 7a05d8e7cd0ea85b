import { BubError } from "../lib/errors.ts";
import { imageType, isCompleteImage, isImageName } from "../lib/content/image.ts";
import { replaceBytes } from "../lib/content/replace.ts";
import { decodeText, encodeText, sliceLines } from "../lib/content/text.ts";
import type { FileStat } from "../lib/environment/environment.ts";
import { MediaOutput } from "../lib/tool/output.ts";
import { defineTool, type ToolContext } from "../lib/tool/tool.ts";

const MIB = 1024 * 1024;
/** SPEC F2; providers take no more. */
const MAX_IMAGE_BYTES = 10 * MIB;
/** About half of the longest string there can be. */
const MAX_TEXT_BYTES = 256 * MIB;

export const fsRead = defineTool({
  name: "fs.read",
  description:
    "Reads a UTF-8 text file, or shows a .png, .jpg, .jpeg, .webp or .gif image (up to 10 MiB).",
  parameters: (z) =>
    z.object({
      path: z.string().describe("Relative to the workspace"),
      offset: z.int().min(0).default(0).describe("First line, from 0"),
      limit: z.int().min(1).nullable().default(null).describe("Number of lines; null: to the end"),
    }),
  async run({ path, offset, limit }, context) {
    if (isImageName(context.environment.resolve(path))) return await readImage(path, context);
    const data = await readUpTo(MAX_TEXT_BYTES, path, context);
    return sliceLines(decodeText(data, path), offset, limit);
  },
});

export const fsWrite = defineTool({
  name: "fs.write",
  description: "Writes a whole file with exactly this text; creates parent folders, overwrites.",
  parameters: (z) =>
    z.object({
      path: z.string().describe("Relative to the workspace"),
      content: z.string().describe("The whole text"),
    }),
  async run({ path, content }, { environment, signal }) {
    const data = encodeText(content, "content");
    signal.throwIfAborted();
    await environment.writeFile(path, data);
    return `wrote ${data.length} ${data.length === 1 ? "byte" : "bytes"} to ${path}`;
  },
});

export const fsEdit = defineTool({
  name: "fs.edit",
  description: "Replaces every literal match of a text in a file, from a line on.",
  parameters: (z) =>
    z.object({
      path: z.string().describe("Relative to the workspace"),
      old: z.string().describe("Text to replace, exactly as in the file"),
      new: z.string().describe("What takes its place"),
      start: z.int().min(0).default(0).describe("First line to search, from 0"),
    }),
  async run({ path, old, new: fresh, start }, { environment, signal }) {
    if (old === "") {
      throw new BubError(
        "invalid_input",
        "old is empty; give the text to replace, or use fs.write",
      );
    }
    const oldBytes = encodeText(old, "old");
    const freshBytes = encodeText(fresh, "new");
    if (old === fresh) throw new BubError("invalid_input", "no change: old and new are the same");
    signal.throwIfAborted();
    let count = 0;
    await environment.updateFile(path, (data) => {
      const result = replaceBytes(data, oldBytes, freshBytes, start);
      if (result.count === 0) throw notFound(data, { path, old, start });
      count = result.count;
      return result.data;
    });
    return `replaced ${count} ${count === 1 ? "match" : "matches"} in ${path}`;
  },
});

async function readImage(path: string, context: ToolContext): Promise<MediaOutput> {
  const data = await readUpTo(MAX_IMAGE_BYTES, path, context);
  const mediaType = imageType(data);
  if (mediaType === undefined) {
    throw new BubError(
      "tool",
      `${path} is named like an image but holds no PNG, JPEG, WebP or GIF; ` +
        `it starts with ${JSON.stringify(new TextDecoder("latin1").decode(data.subarray(0, 16)))}`,
    );
  }
  if (!isCompleteImage(data, mediaType)) {
    throw new BubError("tool", `${path} is an ${mediaType} that is cut short or damaged`);
  }
  const label = `${mediaType}, ${data.length} bytes, ${path}`;
  return new MediaOutput(label, [{ mediaType, data, label }]);
}

/** The file's bytes; its size is checked before it is read, and again should it grow meanwhile. */
async function readUpTo(
  maxBytes: number,
  path: string,
  { environment, signal }: ToolContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const check = (size: FileStat["size"]) => {
    if (size <= maxBytes) return;
    throw new BubError("tool", `${path} has ${size} bytes; at most ${maxBytes / MIB} MiB are read`);
  };
  const { kind, size } = await environment.stat(path);
  if (kind === "file") check(size);
  const data = await environment.readFile(path, { maxBytes, signal });
  check(data.length);
  return data;
}

interface Search {
  readonly path: string;
  readonly old: string;
  readonly start: number;
}

/** Says the two things that usually are the reason: other blanks, or a match further up. */
function notFound(data: Uint8Array<ArrayBuffer>, { path, old, start }: Search): BubError {
  const text = new TextDecoder().decode(data);
  const squeezed = (value: string) => value.replaceAll(/\s+/g, " ");
  const where = start === 0 ? "" : ` from line ${start} on`;
  const hint = text.includes(old)
    ? "; it is there before that line"
    : squeezed(text).includes(squeezed(old))
    ? "; with other spaces or line breaks it is there: read the file again"
    : "";
  return new BubError("tool", `old was not found in ${path}${where}${hint}`);
}
