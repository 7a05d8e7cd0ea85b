import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type EntryDraft, eventEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";

/** The events that keep the inbox on the tape: what has come in, and what has been read. */
export const MESSAGE_EVENT = "steering.message";
export const READ_EVENT = "steering.read";

/** A result that waits to be read; its id is that of the task. */
export interface WaitingResult extends JsonObject {
  readonly id: string;
  readonly content: string;
}

/** What a step takes out of the inbox, and what says on the tape that it was read. */
export interface TakenResults {
  readonly results: readonly WaitingResult[];
  readonly entries: readonly EntryDraft[];
}

/**
 * The results of subagents that their parent has not read yet, in the order they ended. Each is on
 * the tape as long as it waits, so that no end of a turn or of the program loses or repeats one.
 */
export class ResultInbox {
  readonly #tape: Tape;
  readonly #waiting = new Map<string, WaitingResult>();
  /** Those that the tape does not have yet, or could not take. */
  readonly #unwritten = new Set<string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Rejects with `storage` when the tape cannot be written; the result waits in memory then. */
  async put(id: string, content: string): Promise<void> {
    this.#waiting.set(id, { id, content });
    this.#unwritten.add(id);
    await this.#tape.append(eventEntry(MESSAGE_EVENT, { id, content }));
    this.#unwritten.delete(id);
  }

  /** Takes over what the tape says at the start of a turn: other processes write and read there. */
  sync(recorded: readonly WaitingResult[]): void {
    const unwritten = [...this.#unwritten].flatMap((id) => this.#waiting.get(id) ?? []);
    this.#waiting.clear();
    for (const result of [...recorded, ...unwritten]) this.#waiting.set(result.id, result);
  }

  /** Takes everything out. */
  take(): TakenResults {
    const results = [...this.#waiting.values()];
    this.#waiting.clear();
    return { results, entries: readEntries(results.map(({ id }) => id)) };
  }

  /** Takes out what was read in another way. */
  async discard(ids: readonly string[]): Promise<void> {
    const read = ids.filter((id) => this.#waiting.delete(id));
    const entries = readEntries(read);
    if (entries.length > 0) await this.#tape.append(...entries);
  }
}

/** The result in the data of a `MESSAGE_EVENT`, or undefined where it is none. */
export function waitingResult(data: JsonValue | undefined): WaitingResult | undefined {
  if (!isJsonObject(data)) return undefined;
  const { id, content } = data;
  return typeof id === "string" && typeof content === "string" ? { id, content } : undefined;
}

export function readEntries(ids: readonly string[]): readonly EntryDraft[] {
  return ids.length === 0 ? [] : [eventEntry(READ_EVENT, { ids })];
}
