import type { ChatMessage } from "../model/model.ts";
import { type EntryDraft, SESSION_START, type TapeEntry } from "./entry.ts";
import { type AnchorChoice, entriesAfterAnchor, lastAnchor } from "./query.ts";
import { selectMessages, type Selector } from "./select.ts";
import type { TapeOrder, TapeStore } from "./store.ts";

/** One tape of a store: what tools and the kernel hold. */
export class Tape {
  constructor(readonly store: TapeStore, readonly name: string) {}

  /** Appends in one write; resolves once written. */
  append(...drafts: EntryDraft[]): Promise<readonly TapeEntry[]> {
    return this.store.append(this.name, drafts, { start: [SESSION_START] });
  }

  read(order: TapeOrder): AsyncIterable<TapeEntry> {
    return this.store.read(this.name, order);
  }

  /** The entries after an anchor, oldest first. Throws `not_found` for an unknown name. */
  entriesAfter(anchor: AnchorChoice): Promise<readonly TapeEntry[]> {
    return entriesAfterAnchor(this.store, this.name, anchor);
  }

  /** The newest anchor, or the newest with that name; null when there is none. */
  lastAnchor(name?: string): Promise<TapeEntry | null> {
    return lastAnchor(this.store, this.name, name);
  }

  /** The messages that the next model input is built from (TP5). */
  async context(
    anchor: AnchorChoice = "last",
    select: Selector = selectMessages,
  ): Promise<readonly ChatMessage[]> {
    return select(await this.entriesAfter(anchor));
  }
}
