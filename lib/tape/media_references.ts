import { BubError, toBubError } from "../errors.ts";

const BLOCK = 1024 * 1024;
/** A reference as JSON text; other writers put blanks between. */
const REFERENCE = /"sha256"\s*:\s*"([0-9a-f]{64})"/g;
/** More than one reference takes: what a border between blocks may cut. */
const OVERLAP = 256;

/** The SHA-256 of all media that a JSON text refers to; what only looks like a reference is one. */
export function mediaReferences(text: string): readonly string[] {
  return text.match(REFERENCE)?.map((found) => found.slice(-65, -1)) ?? [];
}

/**
 * The same of a file, a tape or an archive. Its text is looked at, not its entries, so that damaged
 * lines count too and memory stays flat. What is gone, or no regular file, such as a link that leads
 * to itself, refers to nothing. Throws `storage` for a file that cannot be read.
 */
export async function fileMediaReferences(path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  using file = await openIfThere(path);
  if (file === null) return found;
  const decoder = new TextDecoder("latin1");
  const block = new Uint8Array(BLOCK);
  let rest = "";
  for (;;) {
    const count = await file.read(block);
    if (count === null) return found;
    const text = rest + decoder.decode(block.subarray(0, count));
    for (const sha256 of mediaReferences(text)) found.add(sha256);
    rest = text.slice(-OVERLAP);
  }
}

async function openIfThere(path: string): Promise<Deno.FsFile | null> {
  try {
    if (!(await Deno.stat(path)).isFile) return null;
    return await Deno.open(path);
  } catch (thrown) {
    const { NotFound, FilesystemLoop } = Deno.errors;
    if (thrown instanceof NotFound || thrown instanceof FilesystemLoop) return null;
    const { kind, message } = toBubError(thrown, "storage");
    throw new BubError(kind, `${path} cannot be read: ${message}`, { cause: thrown });
  }
}
