import type { EntryDraft, TapeEntry } from "./entry.ts";

/** In which order a store hands out entries. */
export type TapeOrder = "oldest" | "newest";

export interface ReadOptions {
  /**
   * Only entries whose JSON text holds one of these texts are wanted. A store leaves out what it
   * can tell cheaply, and may hand out more than was asked for.
   */
  readonly mention?: readonly string[] | undefined;
}

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

/** What to look for on a tape (TP7). */
export interface TapeQuery {
  /** Literal text, never empty. */
  readonly query: string;
  /** The most matches to return. */
  readonly limit: number;
  /** First and last date, both included: an ISO date, which is its whole day, or time; null: any. */
  readonly start: string | null;
  readonly end: string | null;
  /** Kinds of entries to look at. */
  readonly kinds: readonly string[];
}

/** A found entry; a long payload is shortened around what was found. */
export interface TapeMatch extends Pick<TapeEntry, "id" | "kind" | "date" | "payload"> {
  /** The name of the archive it is in; absent: it is on the tape. */
  readonly archive?: string;
}

export interface TapeMatches {
  readonly matches: readonly TapeMatch[];
  /** Entries left out since searches themselves wrote what was found. */
  readonly filtered: number;
}

/** What there is to know of a tape (TP6). */
export interface TapeInfo {
  readonly name: string;
  readonly entries: number;
  readonly anchors: number;
  /** Name of the newest anchor. */
  readonly last_anchor: string | null;
  /** Without an anchor: all of them. */
  readonly entries_since_last_anchor: number;
  /** All tokens of the newest model call that says how many it took. */
  readonly last_token_usage: number | null;
  /** The part of that call's prompt that the provider had kept, from 0 to 1. */
  readonly last_token_cache_hit_rate: number | null;
}

/**
 * Where tapes live. Stores give ids and dates, keep what they are given, and never change it. All
 * evaluation (contexts, anchors, search, facts) is built on `read`, once for every store; `search`
 * and `info` are for stores that have a quicker way to the same, or a search of their own.
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
  read(tape: string, order: TapeOrder, options?: ReadOptions): AsyncIterable<TapeEntry>;

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

  /** In place of the search of `search.ts`. Throws `invalid_input` for a query that is none. */
  search?(tape: string, query: TapeQuery): Promise<TapeMatches>;

  /** In place of `info.ts`; the same facts. */
  info?(tape: string): Promise<TapeInfo>;
}
