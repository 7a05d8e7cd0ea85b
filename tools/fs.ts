import { BubError } from "../lib/errors.ts";
import { isImageName } from "../lib/content/image.ts";
import { replaceBytes } from "../lib/content/replace.ts";
import { decodeText, encodeText, sliceLines } from "../lib/content/text.ts";
import { readBounded } from "../lib/tool/bounded_file.ts";
import { MediaOutput } from "../lib/tool/output.ts";
import { defineTool, type ToolContext } from "../lib/tool/tool.ts";

/** About half of the longest string there can be. */
const MAX_TEXT_MIB = 256;

// Named by a variable, so that Deno loads it with the first image and not before (see main.ts).
const IMAGE_FILE = "../lib/tool/image_file.ts";

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
    const { environment, signal } = context;
    if (isImageName(environment.resolve(path))) return await showImage(path, context);
    const data = await readBounded(path, environment, { maxMiB: MAX_TEXT_MIB, signal });
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

async function showImage(
  path: string,
  { environment, signal }: ToolContext,
): Promise<MediaOutput> {
  const { readImage }: typeof import("../lib/tool/image_file.ts") = await import(IMAGE_FILE);
  const image = await readImage(path, environment, signal);
  return new MediaOutput(image.label, [image]);
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
