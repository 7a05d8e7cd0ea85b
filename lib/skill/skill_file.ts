import type { Environment } from "../environment/environment.ts";
import { BubError } from "../errors.ts";
import { type FrontMatter, splitFrontMatter } from "./front_matter.ts";

/** The front matter must lie within that many bytes. */
const HEADER_LIMIT = 64 * 1024;
/** How much of a file is handed on, in bytes: more than any model can take. */
const FILE_LIMIT = 1024 * 1024;

/** The YAML at the top of the `SKILL.md` at `path`. Throws `tool` with the reason. */
export async function readHeaderText(path: string, environment: Environment): Promise<string> {
  const { text, isCut } = await readStart(path, HEADER_LIMIT, environment);
  return split(text, isCut).header;
}

/**
 * The text below the front matter, trimmed, with `$SKILL_DIR` and `${SKILL_DIR}` replaced by
 * `folder`. A very long one is cut and says so.
 */
export async function readBody(
  path: string,
  folder: string,
  environment: Environment,
): Promise<string> {
  const { text, isCut } = await readStart(path, FILE_LIMIT, environment);
  const body = withFolder(split(text, isCut).body, folder);
  return isCut ? `${body}\n\n[cut at ${FILE_LIMIT} bytes; ${path} has the rest]` : body;
}

/** A skill's text as it is handed on. */
export function withFolder(body: string, folder: string): string {
  return body.trim().replaceAll(/\$(?:SKILL_DIR\b|\{SKILL_DIR\})/g, () => folder);
}

function split(text: string, isCut: boolean): FrontMatter {
  const parts = splitFrontMatter(text);
  if (typeof parts !== "string") return parts;
  throw new BubError("tool", isCut ? `${parts} within ${HEADER_LIMIT} bytes` : parts);
}

async function readStart(path: string, limit: number, environment: Environment) {
  const data = await environment.readFile(path, { maxBytes: limit });
  const isCut = data.length > limit;
  return { text: decode(data.subarray(0, limit), isCut), isCut };
}

/** Strict UTF-8; of a cut file the last character may be cut too. */
function decode(data: Uint8Array, isCut: boolean): string {
  const [first, second] = data;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new BubError("tool", "it is UTF-16 text; save it as UTF-8");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data, { stream: isCut });
  } catch (cause) {
    throw new BubError("tool", "it is not UTF-8 text", { cause });
  }
}
