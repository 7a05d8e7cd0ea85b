import { join } from "@std/path";
import { BubError, missingAccess } from "../errors.ts";
import { type OutputSlice, WHOLE_OUTPUT_BYTES } from "./environment.ts";
import { countCharacters, incompleteTail, indexOfCharacter } from "./utf8.ts";

/** Bytes decoded at once: short enough for strings that V8 frees at the next occasion. */
const BLOCK_BYTES = 64 * 1024;
/** Blocks between two checkpoints. */
const CHECKPOINT_BLOCKS = 16;
/** Characters of a slice when more than `WHOLE_OUTPUT_BYTES` could follow. */
const PIECE_CHARACTERS = 16 * 2 ** 20;
/** Bytes after which a long scan lets timers and signals have their turn. */
const BREATH_BYTES = 16 * 2 ** 20;
/** Milliseconds for which a file that nobody writes to may be needed by a program still running. */
const STALE_MS = 7 * 24 * 3_600_000;

/** A place where a character begins. */
interface Checkpoint {
  readonly byte: number;
  readonly character: number;
}

/** A decoded part of the file. */
interface Block {
  readonly text: string;
  /** Number of its first character. */
  readonly start: number;
  readonly characters: number;
  readonly bytes: number;
}

/**
 * What a process prints, in a file that grows while it is read. Offsets count characters of the
 * bytes decoded as UTF-8, invalid ones as U+FFFD, just as one `TextDecoder` would over the whole;
 * checkpoints, one for each MiB, make a slice cost about its own size, and no more than a block
 * is held in memory beside it. Once discarded it reads as empty.
 */
export class OutputFile {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #blockBytes: number;
  readonly #checkpoints: Checkpoint[] = [{ byte: 0, character: 0 }];
  #open = true;

  private constructor(path: string, file: Deno.FsFile, blockBytes: number) {
    this.path = path;
    this.#file = file;
    this.#blockBytes = blockBytes;
  }

  /**
   * Creates an empty file of a random name, readable by its owner only, in `folder`, which is made
   * if it is missing. Throws `permission` or `storage`.
   */
  static async create(folder: string, blockBytes: number = BLOCK_BYTES): Promise<OutputFile> {
    const path = join(folder, `${crypto.randomUUID()}.out`);
    const options = { createNew: true, read: true, append: true, mode: 0o600 };
    for (const name of ["read", "write"] as const) {
      if (Deno.permissions.querySync({ name, path: folder }).state === "granted") continue;
      const message = `output of commands cannot be kept: ${missingAccess(name, folder)}`;
      throw new BubError("permission", message);
    }
    try {
      const file = await Deno.open(path, options).catch(async (error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
        return await Deno.open(path, options);
      });
      return new OutputFile(path, file, blockBytes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BubError("storage", `cannot keep output in ${folder}: ${reason}`, { cause: error });
    }
  }

  /** Removes what crashed programs left in `folder` long ago. */
  static async sweep(folder: string): Promise<void> {
    try {
      for await (const { name, isFile } of Deno.readDir(folder)) {
        const path = join(folder, name);
        if (!isFile || !/\.out(\.\w+)?$/.test(name)) continue;
        const { mtime } = await Deno.stat(path);
        if (mtime !== null && Date.now() - mtime.getTime() > STALE_MS) await Deno.remove(path);
      }
    } catch {
      // Another program sweeps at the same time, or the folder is gone: nothing is lost.
    }
  }

  /** Bytes there are now. */
  async size(): Promise<number> {
    if (!this.#open) return 0;
    // Discarded meanwhile: nothing.
    return await this.#file.stat().then(({ size }) => size, () => 0);
  }

  /** Adds a line of ours to what the process prints. */
  note(line: string): void {
    this.#file.writeSync(new TextEncoder().encode(`${line}\n`));
  }

  /**
   * Characters `offset` to `offset + limit`, clamped to what there is. When more than 64 MiB could
   * follow, it is a piece of them, and `next` tells where to go on. `final`: nothing will complete
   * a character cut at the end, so it counts as one U+FFFD instead of being held back.
   */
  async slice(offset: number, limit: number | null, final: boolean): Promise<OutputSlice> {
    const from = Math.max(0, offset);
    const size = await this.size();
    const checkpoint = this.#checkpointBefore(from);
    const most = size - checkpoint.byte > WHOLE_OUTPUT_BYTES ? PIECE_CHARACTERS : Infinity;
    const to = from + Math.min(Math.max(0, limit ?? Infinity), most);
    const parts: string[] = [];
    let next = checkpoint.character;
    for await (const { text, start, characters } of this.#blocks(checkpoint, size, final)) {
      const end = start + characters;
      next = Math.min(end, to);
      if (end > from) {
        parts.push(slice(text, characters, Math.max(0, from - start), next - start));
      }
      if (end >= to) break;
    }
    return { text: parts.join(""), next };
  }

  /** At most the last `limit` characters; `final` as for `slice()`. */
  async tail(limit: number, final: boolean): Promise<string> {
    const size = await this.size();
    // Four bytes a character, and three each for those cut at the start and at the end.
    const start = Math.max(0, size - 4 * limit - 6);
    const bytes = this.#read(start, new Uint8Array(size - start));
    const text = decode(bytes.subarray(0, bytes.length - (final ? 0 : incompleteTail(bytes))));
    return text.slice(indexOfCharacter(text, countCharacters(text) - limit));
  }

  /**
   * All there is, in pieces of at most a block, and what comes until `ended` says that nothing more
   * will; `more` waits before each further look.
   */
  async *follow(
    ended: () => boolean,
    more: () => Promise<void>,
  ): AsyncGenerator<string, void, undefined> {
    let from: Checkpoint = { byte: 0, character: 0 };
    for (;;) {
      // Asked first: what is printed after the look is found by the next one.
      const final = ended();
      for await (const block of this.#blocks(from, await this.size(), final)) {
        yield block.text;
        from = { byte: from.byte + block.bytes, character: block.start + block.characters };
      }
      if (final) return;
      await more();
    }
  }

  /** Removes the file; safe to repeat. */
  async discard(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#file.close();
    await Deno.remove(this.path).catch(() => {/* someone cleared the folder: as good */});
  }

  #checkpointBefore(character: number): Checkpoint {
    const next = this.#checkpoints.findIndex((point) => point.character > character);
    return this.#checkpoints.at(next === -1 ? -1 : next - 1) ?? { byte: 0, character: 0 };
  }

  /** Decodes bytes `from` to `size`, setting checkpoints on the way. */
  async *#blocks(
    from: Checkpoint,
    size: number,
    final: boolean,
  ): AsyncGenerator<Block, void, undefined> {
    const buffer = new Uint8Array(Math.min(this.#blockBytes, size - from.byte));
    let { byte, character } = from;
    let breath = byte + BREATH_BYTES;
    while (byte < size) {
      const bytes = this.#read(byte, buffer.subarray(0, size - byte));
      if (bytes.length === 0) return;
      const last = byte + bytes.length >= size;
      const whole = bytes.subarray(0, bytes.length - (last && final ? 0 : incompleteTail(bytes)));
      if (whole.length === 0) return;
      const text = decode(whole);
      // One unit a byte means that there is no character of two units.
      const characters = text.length === whole.length ? text.length : countCharacters(text);
      yield { text, start: character, characters, bytes: whole.length };
      byte += whole.length;
      character += characters;
      const behind = byte - (this.#checkpoints.at(-1)?.byte ?? 0);
      if (!last && behind >= CHECKPOINT_BLOCKS * this.#blockBytes) {
        this.#checkpoints.push({ byte, character });
      }
      if (byte >= breath) {
        breath = byte + BREATH_BYTES;
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
  }

  /**
   * The bytes at `position`, as many as `buffer` takes and there are. Synchronous because Deno has
   * no read at a position: nothing may come between the seek and the read.
   */
  #read(position: number, buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (!this.#open) return buffer.subarray(0, 0);
    this.#file.seekSync(position, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < buffer.length) {
      const count = this.#file.readSync(buffer.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Characters `from` to `to` of a text that has `characters` of them. */
function slice(text: string, characters: number, from: number, to: number): string {
  if (from === 0 && to >= characters) return text;
  if (text.length === characters) return text.slice(from, to);
  const start = indexOfCharacter(text, from);
  const rest = text.slice(start);
  return rest.slice(0, indexOfCharacter(rest, to - from));
}
