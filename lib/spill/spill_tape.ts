import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { type EntryDraft, eventEntry, type TapeEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";
import { utf8Chunks } from "./chunks.ts";

/** The most chunks that one reading returns. */
export const MAX_CHUNKS = 4;

const CHUNK = "spill.chunk";
const MANIFEST = "spill.manifest";

/** Chunks that are written at once: 1 MiB. */
const CHUNKS_PER_WRITE = 64;

/** A stored result. */
export interface Spill {
  /** 32 hex digits. */
  readonly handle: string;
  readonly chunks: number;
}

/** Where to read in a stored result. */
export interface SpillRange {
  /** Chunks to pass over, from the start or from the end; clamped to what there is. */
  readonly cursor: number;
  /** Chunks to read; more than `MAX_CHUNKS` counts as that. */
  readonly count: number;
  readonly fromEnd: boolean;
}

/** A part of a stored result (SP2). */
export interface SpillSlice {
  /** In document order. */
  readonly content: string;
  /** The cursor that reads on in the same direction. */
  readonly nextCursor: number;
  /** Whether nothing is left in that direction. */
  readonly complete: boolean;
}

/** The results of one session that were too long for its tape, on the tape's sidecar `spill`. */
export class SpillTape {
  readonly #sidecar: Tape;

  constructor(tape: Tape) {
    this.#sidecar = tape.sidecar("spill");
  }

  /**
   * Stores `text`; it can be read as soon as this resolves. `facts` say in the manifest what it is.
   * Rejects with `storage`; what was written by then is never found.
   */
  async store(text: string, facts: JsonObject): Promise<Spill> {
    const handle = crypto.randomUUID().replaceAll("-", "");
    let chunks = 0;
    let drafts: EntryDraft[] = [];
    for (const content of utf8Chunks(text)) {
      drafts.push(eventEntry(CHUNK, { part: partName(handle, chunks++), content }));
      if (drafts.length < CHUNKS_PER_WRITE) continue;
      await this.#sidecar.append(...drafts);
      drafts = [];
    }
    await this.#sidecar.append(...drafts, eventEntry(MANIFEST, { handle, chunks, ...facts }));
    return { handle, chunks };
  }

  /** Throws `not_found` for an unknown handle, and `storage` when a chunk is gone. */
  async read(handle: string, { cursor, count, fromEnd }: SpillRange): Promise<SpillSlice> {
    const wanted = handle.trim().toLowerCase();
    const total = await this.#countChunks(wanted);
    const passed = Math.min(cursor, total);
    const nextCursor = Math.min(passed + Math.min(count, MAX_CHUNKS), total);
    const [start, end] = fromEnd ? [total - nextCursor, total - passed] : [passed, nextCursor];
    return {
      content: await this.#join(wanted, start, end),
      nextCursor,
      complete: nextCursor === total,
    };
  }

  async #countChunks(handle: string): Promise<number> {
    for await (const data of this.#newest(MANIFEST, [handle])) {
      if (data.handle === handle && typeof data.chunks === "number") return data.chunks;
    }
    throw new BubError(
      "not_found",
      `no stored result has the handle ${JSON.stringify(handle)}; a handle is the 32 hex digits ` +
        `that a shortened result names, and lasts until the tape is reset`,
    );
  }

  /** Chunks `start` to `end`, without the latter. */
  async #join(handle: string, start: number, end: number): Promise<string> {
    const parts = Array.from(
      { length: end - start },
      (_, index) => partName(handle, start + index),
    );
    const found = new Map<unknown, string>();
    if (parts.length === 0) return "";
    for await (const { part, content } of this.#newest(CHUNK, parts)) {
      if (typeof part === "string" && parts.includes(part)) found.set(part, String(content));
      if (found.size === parts.length) return parts.map((name) => found.get(name)).join("");
    }
    const missing = parts.filter((name) => !found.has(name)).join(", ");
    throw new BubError("storage", `the stored result is damaged: chunk ${missing} is missing`);
  }

  /** The data of the newest events with that name; entries without any of `texts` may be missing. */
  async *#newest(name: string, texts: readonly string[]): AsyncGenerator<JsonObject, void, void> {
    const mention = texts.map((text) => JSON.stringify(text));
    for await (const entry of this.#sidecar.read("newest", { mention })) {
      if (isEvent(entry, name) && isJsonObject(entry.payload.data)) yield entry.payload.data;
    }
  }
}

/** One text for handle and index, so that a store can look for the line it stands on. */
function partName(handle: string, index: number): string {
  return `${handle}/${index}`;
}

function isEvent({ kind, payload }: TapeEntry, name: string): boolean {
  return kind === "event" && payload.name === name;
}
