import type { ReadOptions } from "./environment.ts";

/** What is taken for the size of a file that tells none. */
const UNTOLD_SIZE = 64 * 1024;

/**
 * The rest of an open file; of one with more than `maxBytes`, one byte more than that, which tells
 * the caller. Rejects with the signal's reason when that aborts.
 */
export async function readRest(
  file: Deno.FsFile,
  { maxBytes = Infinity, signal }: ReadOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const size = (await file.stat()).size || UNTOLD_SIZE;
  // One byte more than there should be, so that the end is seen without growing.
  let data = new Uint8Array(Math.min(size, maxBytes) + 1);
  for (let length = 0;;) {
    signal?.throwIfAborted();
    const read = await file.read(data.subarray(length));
    length += read ?? 0;
    if (read === null || length > maxBytes) return data.subarray(0, length);
    if (length === data.length) data = grown(data);
  }
}

function grown(data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const twice = new Uint8Array(2 * data.length);
  twice.set(data);
  return twice;
}
