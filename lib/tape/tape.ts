import type { JsonObject } from "../json.ts";
import type { ChatMessage } from "../model/model.ts";
import { MemoryMediaStore } from "./memory_media_store.ts";
import { type MediaStore, resolveMedia } from "./media.ts";
import {
  anchorEntry,
  type EntryDraft,
  eventEntry,
  SESSION_START,
  type TapeEntry,
} from "./entry.ts";
import { sidecarName } from "./name.ts";
import { type AnchorChoice, anchorNames, entriesAfterAnchor, lastAnchor } from "./query.ts";
import { RecentEntries } from "./recent_entries.ts";
import type { ResetOptions, ResetReport } from "./reset.ts";
import { selectMessages, type Selector } from "./select.ts";
import type {
  ReadOptions,
  TapeInfo,
  TapeMatches,
  TapeOrder,
  TapeQuery,
  TapeStore,
} from "./store.ts";

// Named by variables, so that Deno loads them when they are used and not before (see main.ts).
const INFO = "./info.ts";
const SEARCH = "./search.ts";
const RESET = "./reset.ts";

/** One tape of a store: what tools and the kernel hold. */
export class Tape {
  readonly #recent: RecentEntries;

  /** `media` holds what its entries refer to; by default for as long as this object lives. */
  constructor(
    readonly store: TapeStore,
    readonly name: string,
    readonly media: MediaStore = new MemoryMediaStore(),
  ) {
    this.#recent = new RecentEntries(store, name);
  }

  /** Appends in one write; resolves once written. */
  append(...drafts: EntryDraft[]): Promise<readonly TapeEntry[]> {
    return this.store.append(this.name, drafts, { start: [SESSION_START] });
  }

  read(order: TapeOrder, options?: ReadOptions): AsyncIterable<TapeEntry> {
    return this.store.read(this.name, order, options);
  }

  /**
   * The entries after an anchor, oldest first. Throws `not_found` for an unknown name. Those after
   * the last anchor are kept, so that asking again reads only what is new.
   */
  entriesAfter(anchor: AnchorChoice): Promise<readonly TapeEntry[]> {
    return anchor === "last"
      ? this.#recent.read()
      : entriesAfterAnchor(this.store, this.name, anchor);
  }

  /** The newest anchor, or the newest with that name; null when there is none. */
  lastAnchor(name?: string): Promise<TapeEntry | null> {
    return lastAnchor(this.store, this.name, name);
  }

  /** The messages that the next model input is built from (TP5), media inline. */
  async context(
    anchor: AnchorChoice = "last",
    select: Selector = selectMessages,
  ): Promise<readonly ChatMessage[]> {
    return select(await resolveMedia(await this.entriesAfter(anchor), this.media));
  }

  /** What there is to know of the tape (TP6). */
  async info(): Promise<TapeInfo> {
    const { tapeInfo }: typeof import("./info.ts") = await import(INFO);
    return await tapeInfo(this.store, this.name);
  }

  /** Searches the tape (TP7). Throws `invalid_input` for a query that is none. */
  async search(query: TapeQuery): Promise<TapeMatches> {
    const { searchTape }: typeof import("./search.ts") = await import(SEARCH);
    return await searchTape(this.store, this.name, query);
  }

  /** The names of the anchors in recorded order (TP8). */
  anchors(): Promise<readonly string[]> {
    return anchorNames(this.store, this.name);
  }

  /** Moves the start of the default context behind a new anchor (TP9). */
  async handoff(name: string, state: JsonObject): Promise<void> {
    await this.append(anchorEntry(name, state), eventEntry("handoff", { name, state }));
  }

  /** Empties the tape and its sidecars (TP10). Throws `storage`, having changed nothing. */
  async reset(options: ResetOptions): Promise<ResetReport> {
    const { resetTape }: typeof import("./reset.ts") = await import(RESET);
    return await resetTape(this.store, this.name, options);
  }

  /**
   * The sibling tape for what belongs to this one and is not for the model's context. Throws
   * `invalid_input` for a name that is none.
   */
  sidecar(name: string): Tape {
    return new Tape(this.store, sidecarName(this.name, name), this.media);
  }
}
