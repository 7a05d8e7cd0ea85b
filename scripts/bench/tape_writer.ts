import { type EntryDraft, SESSION_START } from "../../lib/tape/entry.ts";
import { formatLine, numberDrafts } from "../../lib/tape/line.ts";

/** Entries that are written at once. */
const PIECE = 10_000;

/** Writes a whole tape file, quicker than a store would, and returns how many bytes it takes. */
export async function writeTape(path: string, drafts: Iterable<EntryDraft>): Promise<number> {
  using file = await Deno.open(path, { createNew: true, write: true });
  let id = 1;
  let size = 0;
  let piece: EntryDraft[] = [SESSION_START];
  const flush = async () => {
    const bytes = lines(id, piece);
    id += piece.length;
    piece = [];
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    size += bytes.length;
  };
  for (const draft of drafts) {
    piece.push(draft);
    if (piece.length === PIECE) await flush();
  }
  await flush();
  return size;
}

/** The lines of entries in the form of tape files. */
export function lines(firstId: number, drafts: readonly EntryDraft[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(numberDrafts(drafts, firstId).map(formatLine).join(""));
}
