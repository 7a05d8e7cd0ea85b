import type { TapeOrder } from "./store.ts";

const NEWLINE = 10;
const FIRST_BLOCK = 64 * 1024;
const LAST_BLOCK = 1024 * 1024;

/** Whole lines of a file, one after the other, as they stand there. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  /** Where in the file `bytes` starts. */
  readonly offset: number;
}

/**
 * The first `size` bytes of a file in blocks of whole lines, the newest block first or last. Blocks
 * start at 64 KiB and double up to 1 MiB, so that who stops early pays little; a longer line makes
 * its block longer. Ends early when the file turns out shorter than `size`: it was reset meanwhile.
 */
export function readBlocks(
  file: Deno.FsFile,
  size: number,
  order: TapeOrder,
): AsyncGenerator<LineBlock, void, void> {
  return order === "newest" ? backward(file, size) : forward(file, size);
}

async function* backward(file: Deno.FsFile, size: number) {
  // Pieces, last one first, of a line whose start lies further back.
  let pieces: Uint8Array[] = [];
  let position = size;
  for (let step = FIRST_BLOCK; position > 0; step = Math.min(step * 2, LAST_BLOCK)) {
    const length = Math.min(step, position);
    position -= length;
    const piece = await readAt(file, position, length);
    if (piece === null) return;
    const start = position === 0 ? 0 : piece.indexOf(NEWLINE) + 1;
    if (start === 0 && position > 0) {
      pieces.push(piece);
      continue;
    }
    const bytes = join([piece.subarray(start), ...pieces.reverse()]);
    if (bytes.length > 0) yield { bytes, offset: position + start };
    pieces = [piece.subarray(0, start)];
  }
}

async function* forward(file: Deno.FsFile, size: number) {
  // Pieces of a line whose end lies further on.
  let pieces: Uint8Array[] = [];
  let offset = 0;
  let position = 0;
  for (let step = FIRST_BLOCK; position < size; step = Math.min(step * 2, LAST_BLOCK)) {
    const length = Math.min(step, size - position);
    const piece = await readAt(file, position, length);
    if (piece === null) return;
    position += length;
    const end = position === size ? length : piece.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      pieces.push(piece);
      continue;
    }
    yield { bytes: join([...pieces, piece.subarray(0, end)]), offset };
    offset = position - length + end;
    pieces = [piece.subarray(end)];
  }
}

/** `length` bytes from `position`; null when the file ends before. */
async function readAt(
  file: Deno.FsFile,
  position: number,
  length: number,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(length);
  await file.seek(position, Deno.SeekMode.Start);
  for (let filled = 0; filled < length;) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) return null;
    filled += count;
  }
  return bytes;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const filled = pieces.filter(({ length }) => length > 0);
  if (filled.length === 1 && filled[0] !== undefined) return filled[0];
  const whole = new Uint8Array(filled.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of filled) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
