import type { EntryDraft, TapeEntry } from "./entry.ts";

/** In which order a store hands out entries. */
export type TapeOrder = "oldest" | "newest";

export interface AppendOptions {
  /**
   * Entries to write first when the tape is still empty. Store and test are one atomic step, so
   * two processes that open a new tape at once write them once.
   */
  readonly start?: readonly EntryDraft[];
}

export interface TapeSummary {
  readonly name: string;
  /** Bytes the tape takes. */
  readonly size: number;
  /** When it was last written to, or null where the store does not know. */
  readonly modified: Date | null;
}

/**
 * Where tapes live. Stores give ids and dates, keep what they are given, and never change it. All
 * evaluation (contexts, anchors, search) is built on `read` in `query.ts`, once for every store.
 */
export interface TapeStore {
  /**
   * Appends in one atomic write and resolves once the entries are written, `start` entries not
   * included in the answer. Rejects with a `storage` error and leaves the tape as it was.
   */
  append(
    tape: string,
    drafts: readonly EntryDraft[],
    options?: AppendOptions,
  ): Promise<readonly TapeEntry[]>;

  /**
   * The entries of a tape; none for an unknown tape. Reading stops costing when the consumer
   * stops: `newest` starts at the end. Damaged lines are left out and reported once a tape.
   */
  read(tape: string, order: TapeOrder): AsyncIterable<TapeEntry>;

  /** The tapes there are, sidecars included, in no particular order. */
  list(): Promise<readonly TapeSummary[]>;

  /** Removes a tape; an unknown one is fine. */
  remove(tape: string): Promise<void>;

  /**
   * Replaces the whole tape by `drafts` with ids from 1, in one step under the writers' lock.
   * With `archive`, what it held is first kept beside it under a name that is never reused;
   * returns that name (null when there was nothing to keep, or without `archive`).
   */
  reset(
    tape: string,
    drafts: readonly EntryDraft[],
    options?: { readonly archive?: boolean },
  ): Promise<string | null>;

  /** Lets go of open files. The store works on after it. */
  close(): void;
}
