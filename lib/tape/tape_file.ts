import type { EntryDraft, TapeEntry } from "./entry.ts";
import { formatLine, numberDrafts, parseLine } from "./line.ts";
import { openPrivateFile } from "./private_file.ts";

const NEWLINE = 10;

/**
 * A tape's file, open for appending. Everything here is synchronous: one append is then some 10 µs
 * in place of 170, and no other append of this process can come in between. All methods but `lock`,
 * `isCurrent` and `close` must be called under the lock, after `isCurrent` said yes.
 */
export class TapeFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #inode: number | null;
  readonly #encoder = new TextEncoder();
  /** Bytes in the file, as of `isCurrent`. */
  #size = 0;
  /** For which size `#lastId` and `#torn` hold. */
  #knownSize = -1;
  #lastId = 0;
  /** The file does not end with a newline: the last write was cut short. */
  #torn = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openPrivateFile(path);
    this.#inode = this.#file.statSync().ino;
  }

  lock(): void {
    this.#file.lockSync(true);
  }

  unlock(): void {
    this.#file.unlockSync();
  }

  close(): void {
    this.#file.close();
  }

  /** Whether the path still leads to this file, not to another one or nowhere. */
  isCurrent(): boolean {
    try {
      const { ino, size } = Deno.statSync(this.#path);
      this.#size = size;
      return ino === this.#inode;
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return false;
      throw thrown;
    }
  }

  /** Appends in one write, `start` first if there is no entry yet. Throws having changed nothing. */
  append(drafts: readonly EntryDraft[], start: readonly EntryDraft[]): readonly TapeEntry[] {
    if (this.#size !== this.#knownSize) this.#lookBack();
    const opening = this.#lastId === 0 ? start : [];
    const entries = numberDrafts([...opening, ...drafts], this.#lastId + 1);
    if (entries.length > 0) this.#write(entries);
    return opening.length > 0 ? entries.slice(opening.length) : entries;
  }

  /** Empties the file and writes `drafts` with ids from 1. */
  replace(drafts: readonly EntryDraft[]): void {
    this.#file.truncateSync(0);
    this.#size = 0;
    this.append(drafts, []);
  }

  /** Bytes in the file. */
  get size(): number {
    return this.#size;
  }

  #write(entries: readonly TapeEntry[]): void {
    // A torn line is closed off, so that it spoils nothing but itself.
    const text = (this.#torn ? "\n" : "") + entries.map(formatLine).join("");
    const bytes = this.#encoder.encode(text);
    try {
      for (let written = 0; written < bytes.length;) {
        written += this.#file.writeSync(written === 0 ? bytes : bytes.subarray(written));
      }
    } catch (thrown) {
      this.#file.truncateSync(this.#size);
      throw thrown;
    }
    this.#knownSize = this.#size += bytes.length;
    this.#lastId += entries.length;
    this.#torn = false;
  }

  /** Finds the last readable entry, and whether the last line has its newline. */
  #lookBack(): void {
    this.#lastId = 0;
    this.#torn = false;
    for (let length = 4096, start = this.#size; start > 0; length *= 8) {
      start = Math.max(0, this.#size - length);
      const bytes = this.#readFrom(start);
      this.#torn = bytes.at(-1) !== NEWLINE;
      // The first line may lack its start; it is no entry then, and a longer look follows.
      this.#lastId = lastReadableId(new TextDecoder().decode(bytes));
      if (this.#lastId > 0) break;
    }
    this.#knownSize = this.#size;
  }

  #readFrom(start: number): Uint8Array {
    const bytes = new Uint8Array(this.#size - start);
    this.#file.seekSync(start, Deno.SeekMode.Start);
    for (let filled = 0; filled < bytes.length;) {
      const count = this.#file.readSync(bytes.subarray(filled));
      if (count === null) return bytes.subarray(0, filled);
      filled += count;
    }
    return bytes;
  }
}

/** The id of the last line that is an entry, 0 if none is. */
function lastReadableId(text: string): number {
  for (const line of text.split("\n").reverse()) {
    try {
      return parseLine(line).id;
    } catch {
      // Damaged, or empty: the line before it decides.
    }
  }
  return 0;
}
