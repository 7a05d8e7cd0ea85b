import { type EntryDraft, SESSION_START, type TapeEntry } from "./entry.ts";
import { MemoryTapeStore } from "./memory_store.ts";
import { isSidecar } from "./name.ts";
import { isSameEntry } from "./query.ts";
import type { AppendOptions, ReadOptions, TapeOrder, TapeStore, TapeSummary } from "./store.ts";

/**
 * An overlay over some tapes of another store: they read as they were when the fork was made, with
 * the fork's own entries behind, which the parent never sees unless they are merged. Own entries
 * live in memory. A tape that is reset in the parent loses here what it held there.
 */
export class ForkTapeStore implements TapeStore {
  readonly #parent: TapeStore;
  /** The newest entry that each forked tape had in the parent. */
  readonly #newest: Map<string, TapeEntry>;
  readonly #own = new MemoryTapeStore();

  private constructor(parent: TapeStore, newest: Map<string, TapeEntry>) {
    this.#parent = parent;
    this.#newest = newest;
  }

  /** Forks the named tapes; all others are empty in the fork. */
  static async open(parent: TapeStore, tapes: Iterable<string>): Promise<ForkTapeStore> {
    const newest = new Map<string, TapeEntry>();
    for (const tape of tapes) {
      const entry = await newestEntry(parent, tape);
      if (entry !== null) newest.set(tape, entry);
    }
    return new ForkTapeStore(parent, newest);
  }

  async append(
    tape: string,
    drafts: readonly EntryDraft[],
    { start = [] }: AppendOptions = {},
  ): Promise<readonly TapeEntry[]> {
    const before = this.#newest.get(tape)?.id ?? 0;
    const options = before === 0 ? { start } : {};
    return (await this.#own.append(tape, drafts, options)).map((entry) => moved(entry, before));
  }

  async *read(
    tape: string,
    order: TapeOrder,
    options?: ReadOptions,
  ): AsyncGenerator<TapeEntry, void, void> {
    const newest = this.#newest.get(tape);
    const own = (await Array.fromAsync(this.#own.read(tape, order)))
      .map((entry) => moved(entry, newest?.id ?? 0));
    if (order === "newest") yield* own;
    if (newest !== undefined) yield* this.#inherited(tape, newest, order, options);
    if (order === "oldest") yield* own;
  }

  async list(): Promise<readonly TapeSummary[]> {
    const own = new Map((await this.#own.list()).map((summary) => [summary.name, summary]));
    const inherited = (await this.#parent.list()).filter(({ name }) => this.#newest.has(name));
    for (const summary of inherited) {
      const { size = 0, modified = summary.modified } = own.get(summary.name) ?? {};
      own.set(summary.name, { ...summary, size: summary.size + size, modified });
    }
    return [...own.values()];
  }

  async remove(tape: string): Promise<void> {
    await this.#own.remove(tape);
    this.#newest.delete(tape);
  }

  /** Archives keep the fork's own entries: the others stay where they are. */
  async reset(
    tape: string,
    drafts: readonly EntryDraft[],
    options?: { readonly archive?: boolean },
  ): Promise<string | null> {
    const reset = this.#own.reset(tape, drafts, options);
    this.#newest.delete(tape);
    return await reset;
  }

  close(): void {}

  /**
   * Appends the fork's own entries of one tape to the parent's and goes on from there; for when
   * nobody writes to the fork. A reset in the fork stays there: the parent keeps what it held.
   * Rejects as the parent's `append` does, and has merged nothing then.
   */
  async merge(tape: string): Promise<void> {
    const own = await Array.fromAsync(this.#own.read(tape, "oldest"));
    if (own.length === 0) return;
    // The start of a tape that has got one in the parent meanwhile would be an anchor in its middle.
    const [first, ...rest] = own;
    const opens = first !== undefined && isStart(first);
    await this.#parent.append(tape, opens ? rest : own, opens ? { start: [first] } : {});
    await this.#own.remove(tape);
    const newest = await newestEntry(this.#parent, tape);
    if (newest !== null) this.#newest.set(tape, newest);
  }

  /** The tapes that have entries of the fork, sidecars last. */
  async changed(): Promise<readonly string[]> {
    const names = (await this.#own.list()).map(({ name }) => name);
    return names.sort((a, b) => Number(isSidecar(a)) - Number(isSidecar(b)));
  }

  async *#inherited(
    tape: string,
    newest: TapeEntry,
    order: TapeOrder,
    options?: ReadOptions,
  ): AsyncGenerator<TapeEntry, void, void> {
    if (!(await this.#hasStill(tape, newest))) return;
    for await (const entry of this.#parent.read(tape, order, options)) {
      if (entry.id <= newest.id) yield entry;
      else if (order === "oldest") return;
    }
  }

  /** False after a reset: the ids have been given again. */
  async #hasStill(tape: string, newest: TapeEntry): Promise<boolean> {
    for await (const entry of this.#parent.read(tape, "newest")) {
      if (entry.id <= newest.id) return isSameEntry(entry, newest);
    }
    return false;
  }
}

async function newestEntry(store: TapeStore, tape: string): Promise<TapeEntry | null> {
  for await (const entry of store.read(tape, "newest")) return entry;
  return null;
}

function moved(entry: TapeEntry, by: number): TapeEntry {
  return by === 0 ? entry : { ...entry, id: entry.id + by };
}

function isStart({ kind, payload }: TapeEntry): boolean {
  return kind === "anchor" && payload.name === SESSION_START.payload.name;
}
