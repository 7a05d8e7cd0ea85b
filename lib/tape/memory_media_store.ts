import type { InlineMedia } from "../tool/output.ts";
import { mediaDigest, type MediaReference, mediaReference, type MediaStore } from "./media.ts";

/** Media that live as long as the store: for tests, and for tapes that are no files. */
export class MemoryMediaStore implements MediaStore {
  readonly #media = new Map<string, Uint8Array<ArrayBuffer>>();

  async put(media: InlineMedia): Promise<MediaReference> {
    const sha256 = await mediaDigest(media.data);
    if (!this.#media.has(sha256)) this.#media.set(sha256, media.data.slice());
    return mediaReference(media, sha256);
  }

  get({ sha256 }: MediaReference): Promise<Uint8Array<ArrayBuffer> | null> {
    return Promise.resolve(this.#media.get(sha256)?.slice() ?? null);
  }

  hold(): Promise<Disposable> {
    return Promise.resolve({ [Symbol.dispose]() {} });
  }
}
