import type { InlineMedia } from "../tool/output.ts";
import type { MediaReference, MediaStore } from "./media.ts";
import { MemoryMediaStore } from "./memory_media_store.ts";

/** Media of a forked tape: those of the parent can be read, new ones stay in memory. */
export class ForkMediaStore implements MediaStore {
  readonly #parent: MediaStore;
  readonly #own = new MemoryMediaStore();

  constructor(parent: MediaStore) {
    this.#parent = parent;
  }

  put(media: InlineMedia): Promise<MediaReference> {
    return this.#own.put(media);
  }

  async get(reference: MediaReference): Promise<Uint8Array<ArrayBuffer> | null> {
    return await this.#own.get(reference) ?? await this.#parent.get(reference);
  }

  /** Nothing but the end of the fork takes its media away. */
  hold(): Promise<Disposable> {
    return this.#own.hold();
  }
}
