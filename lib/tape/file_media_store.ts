import { join } from "@std/path";
import { BubError, toBubError } from "../errors.ts";
import type { InlineMedia } from "../tool/output.ts";
import { mediaDigest, type MediaReference, mediaReference, type MediaStore } from "./media.ts";
import { createPrivateFile, openPrivateFile } from "./private_file.ts";

/** Locked by who puts media (shared) and who removes them (alone). */
const LOCK = ".lock";
const TEMPORARY = /^\.[0-9a-f-]+\.tmp$/;

export interface StoredMedia {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last put; null where the system does not say. */
  readonly modified: Date | null;
}

/**
 * Media as files named by their SHA-256 in one folder, which is made when first needed; mode 0600.
 * A file appears whole or not at all.
 */
export class FileMediaStore implements MediaStore {
  readonly #folder: string;

  /** `folder` is `<home>/media`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(media: InlineMedia): Promise<MediaReference> {
    const sha256 = await mediaDigest(media.data);
    const reference = mediaReference(media, sha256);
    try {
      if (!await this.#refresh(reference)) await this.#write(sha256, media.data);
    } catch (thrown) {
      throw storageError("media cannot be kept", thrown);
    }
    return reference;
  }

  async get({ sha256, size }: MediaReference): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const data = await Deno.readFile(this.#path(sha256));
      return data.length === size ? data : null;
    } catch {
      // Whatever the reason: a turn must not fail because an old image cannot be read.
      return null;
    }
  }

  async hold(): Promise<Disposable> {
    return await this.#lock(false);
  }

  /**
   * All there is, in no particular order. Without a folder: nothing. Rejects with `storage`.
   */
  async list(): Promise<readonly StoredMedia[]> {
    const stored: StoredMedia[] = [];
    for (const name of await this.#names()) {
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const info = await statIfThere(this.#path(name));
      if (info !== null) stored.push({ sha256: name, size: info.size, modified: info.mtime });
    }
    return stored;
  }

  /** Removes one; an unknown one is fine. */
  async remove(sha256: string): Promise<void> {
    await removeIfThere(this.#path(sha256));
  }

  /**
   * Removes what `garbage` says of all there is, and returns that. Nobody puts media meanwhile, and
   * nobody holds any: what an entry written before refers to, `garbage` can know of.
   */
  async sweep(
    garbage: () => Promise<(media: StoredMedia) => boolean>,
  ): Promise<readonly StoredMedia[]> {
    const names = await this.#names();
    if (names.length === 0) return [];
    using _alone = await this.#lock(true);
    const isGarbage = await garbage();
    const swept = (await this.list()).filter(isGarbage);
    // With the lock held every temporary file is one that a crash left.
    const left = names.filter((name) => TEMPORARY.test(name));
    for (const name of [...swept.map(({ sha256 }) => sha256), ...left]) {
      await removeIfThere(this.#path(name));
    }
    return swept;
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await Array.fromAsync(Deno.readDir(this.#folder), ({ name }) => name);
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return [];
      throw storageError("media cannot be listed", thrown);
    }
  }

  /** Marks a file that is there as just put; false when there is none, or one cut short. */
  async #refresh({ sha256, size }: MediaReference): Promise<boolean> {
    const path = this.#path(sha256);
    const info = await statIfThere(path);
    if (info?.size !== size) return false;
    const now = new Date();
    await Deno.utime(path, now, now);
    return true;
  }

  async #write(sha256: string, data: Uint8Array): Promise<void> {
    const temporary = this.#path(`.${crypto.randomUUID()}.tmp`);
    try {
      await fill(temporary, data);
      await Deno.rename(temporary, this.#path(sha256));
    } catch (thrown) {
      await removeIfThere(temporary);
      throw thrown;
    }
  }

  async #lock(exclusive: boolean): Promise<Disposable> {
    let file: Deno.FsFile | undefined;
    try {
      file = openPrivateFile(this.#path(LOCK));
      // Closing lets go, and so does the end of the process.
      await file.lock(exclusive);
      return file;
    } catch (thrown) {
      file?.close();
      throw storageError("media cannot be locked", thrown);
    }
  }
}

async function fill(path: string, data: Uint8Array): Promise<void> {
  using file = createPrivateFile(path);
  for (let written = 0; written < data.length;) {
    written += await file.write(data.subarray(written));
  }
}

async function statIfThere(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return null;
    throw thrown;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}

function storageError(failure: string, thrown: unknown): BubError {
  const { kind, message } = toBubError(thrown, "storage");
  return thrown instanceof BubError
    ? thrown
    : new BubError(kind, `${failure}: ${message}`, { cause: thrown });
}
