import { BubError } from "../../lib/errors.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { isSidecar } from "../../lib/tape/name.ts";
import type { TapeStore } from "../../lib/tape/store.ts";

/** A store with room for so many writes to sidecars. */
export class FullStore extends MemoryTapeStore {
  #room: number;

  constructor(room: number) {
    super();
    this.#room = room;
  }

  override append(...args: Parameters<TapeStore["append"]>) {
    const [tape] = args;
    if (isSidecar(tape) && this.#room-- <= 0) {
      return Promise.reject(new BubError("storage", "no space left"));
    }
    return super.append(...args);
  }
}
