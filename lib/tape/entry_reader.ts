import { readBlocks } from "./block_reader.ts";
import type { TapeEntry } from "./entry.ts";
import { parseLine } from "./line.ts";
import type { LineSieve } from "./line_sieve.ts";
import type { TapeOrder } from "./store.ts";

export interface ReadEntriesOptions {
  /** Told of each line that is no entry: where in the file, in bytes, it starts, and why. */
  readonly onDamage?: (offset: number, reason: string) => void;
  /** Lines that hold none of these texts are passed over unread. */
  readonly mention?: readonly string[] | undefined;
  /** Chooses lines of a tape that is read from the newest on; the others are passed over unread. */
  readonly sieve?: LineSieve;
}

/**
 * The entries of an open tape file as of now. Lines that are none are reported and passed over;
 * who stops early pays only for what was read.
 */
export async function* readEntries(
  file: Deno.FsFile,
  order: TapeOrder,
  { onDamage = () => {}, mention, sieve }: ReadEntriesOptions = {},
): AsyncGenerator<TapeEntry, void, void> {
  const size = settledSize(file);
  const wanted = mention && new RegExp(mention.map(RegExp.escape).join("|"));
  const isWanted = (text: string) => wanted?.test(text) ?? true;
  for await (const { bytes, offset } of readBlocks(file, size, order)) {
    const text = new TextDecoder().decode(bytes);
    if (!isWanted(text)) continue;
    sieve?.block(text, text.length === bytes.length);
    const lines = text.split("\n");
    for (let n = 0; n < lines.length; n++) {
      const index = order === "oldest" ? n : lines.length - 1 - n;
      const line = lines[index];
      if (line === undefined || line.trim() === "" || !isWanted(line)) continue;
      if (sieve?.wants(index, line) === false) continue;
      let entry: TapeEntry;
      try {
        entry = parseLine(line);
      } catch (thrown) {
        // What a reset leaves under a reader is no damage.
        if ((await file.stat()).size < size) return;
        const reason = thrown instanceof Error ? thrown.message : `${thrown}`;
        onDamage(offset + lineStart(bytes, index), reason);
        continue;
      }
      yield entry;
    }
  }
}

/**
 * The size between two writes: under the lock no line is half written. Synchronous, because an
 * append of this process that came in between would wait for the lock and never let it go.
 */
export function settledSize(file: Deno.FsFile): number {
  file.lockSync(false);
  try {
    return file.statSync().size;
  } finally {
    file.unlockSync();
  }
}

/** Where in `bytes` line number `index` starts. */
function lineStart(bytes: Uint8Array, index: number): number {
  let start = 0;
  for (let line = 0; line < index; line++) start = bytes.indexOf(10, start) + 1;
  return start;
}
