import type { TapeEntry } from "./entry.ts";
import { isSameEntry } from "./query.ts";
import type { TapeStore } from "./store.ts";

/**
 * The entries after a tape's last anchor, read again and again: what was there the last time is
 * not read twice. Notices anchors and resets of others.
 */
export class RecentEntries {
  readonly #store: TapeStore;
  readonly #tape: string;
  #known: readonly TapeEntry[] = [];

  constructor(store: TapeStore, tape: string) {
    this.#store = store;
    this.#tape = tape;
  }

  /** Oldest first; all of the tape when it has no anchor. */
  async read(): Promise<readonly TapeEntry[]> {
    const known = this.#known;
    const newest = known.at(-1);
    const fresh: TapeEntry[] = [];
    let old: readonly TapeEntry[] = [];
    for await (const entry of this.#store.read(this.#tape, "newest")) {
      if (entry.kind === "anchor") break;
      if (newest !== undefined && isSameEntry(entry, newest)) {
        old = known;
        break;
      }
      fresh.push(entry);
    }
    return this.#known = fresh.length === 0 ? old : [...old, ...fresh.reverse()];
  }
}
