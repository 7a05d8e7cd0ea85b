import { archiveStamp } from "./archive.ts";
import type { EntryDraft, TapeEntry } from "./entry.ts";
import { checkDrafts, formatLine, numberDrafts, parseLine } from "./line.ts";
import { checkTapeName } from "./name.ts";
import type { AppendOptions, TapeOrder, TapeStore, TapeSummary } from "./store.ts";

/** What one tape holds. */
interface MemoryTape {
  readonly entries: TapeEntry[];
  size: number;
  modified: Date;
}

/** Tapes that live as long as the store: for tests, and for programs that keep no record. */
export class MemoryTapeStore implements TapeStore {
  readonly #tapes = new Map<string, MemoryTape>();
  readonly #archives = new Map<string, readonly TapeEntry[]>();

  append(
    tape: string,
    drafts: readonly EntryDraft[],
    { start = [] }: AppendOptions = {},
  ): Promise<readonly TapeEntry[]> {
    return Promise.try(() => this.#append(checkTapeName(tape), drafts, start));
  }

  async *read(tape: string, order: TapeOrder): AsyncGenerator<TapeEntry, void, void> {
    const entries = [...this.#tapes.get(checkTapeName(tape))?.entries ?? []];
    yield* order === "oldest" ? entries : entries.reverse();
  }

  list(): Promise<readonly TapeSummary[]> {
    const tapes = this.#tapes.entries().filter(([, { entries }]) => entries.length > 0);
    return Promise.resolve(
      [...tapes.map(([name, { size, modified }]) => ({ name, size, modified }))],
    );
  }

  remove(tape: string): Promise<void> {
    return Promise.try(() => void this.#tapes.delete(checkTapeName(tape)));
  }

  reset(
    tape: string,
    drafts: readonly EntryDraft[],
    { archive = false }: { readonly archive?: boolean } = {},
  ): Promise<string | null> {
    return Promise.try(() => {
      checkDrafts(drafts);
      const old = this.#tapes.get(checkTapeName(tape))?.entries ?? [];
      const kept = archive && old.length > 0 ? this.#archive(tape, old) : null;
      this.#tapes.delete(tape);
      this.#append(tape, drafts, []);
      return kept;
    });
  }

  /** What `reset` archived, by the names it returned. */
  get archives(): ReadonlyMap<string, readonly TapeEntry[]> {
    return this.#archives;
  }

  close(): void {}

  #append(tape: string, drafts: readonly EntryDraft[], start: readonly EntryDraft[]) {
    const old = this.#tapes.get(tape) ?? { entries: [], size: 0, modified: new Date() };
    const opening = old.entries.length === 0 ? start : [];
    const numbered = numberDrafts([...opening, ...drafts], (old.entries.at(-1)?.id ?? 0) + 1);
    // Through JSON, as in a file: nobody who keeps hold of a payload can change what is recorded.
    const lines = numbered.map(formatLine);
    const entries = lines.map(parseLine);
    if (entries.length === 0) return entries;
    old.entries.push(...entries);
    old.size += lines.reduce((sum, { length }) => sum + length, 0);
    old.modified = new Date();
    this.#tapes.set(tape, old);
    return entries.slice(opening.length);
  }

  #archive(tape: string, entries: readonly TapeEntry[]): string {
    const stem = `${tape}.jsonl.${archiveStamp(new Date())}`;
    let name = `${stem}.bak`;
    for (let n = 2; this.#archives.has(name); n++) name = `${stem}-${n}.bak`;
    this.#archives.set(name, entries);
    return name;
  }
}
