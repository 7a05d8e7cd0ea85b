import { dirname } from "@std/path";
import type { Bounds } from "./bounds.ts";
import type { FileStat, FolderEntry, ReadOptions } from "./environment.ts";
import { fileError, fileKind, moved, requireFile } from "./file_error.ts";
import { readRest } from "./file_reader.ts";
import { lockKey, replaceFile } from "./file_writer.ts";
import { folderEntry, listError } from "./host_files.ts";
import { PathGuard } from "./path_guard.ts";
import { PathLocks } from "./path_locks.ts";
import type { PathAccess } from "./path_rules.ts";

/** How often is tried again what met another program's change of the same path. */
const TRIES = 5;

/**
 * Files within bounds, as the port `Environment` has them. Every path comes twice: absolute, and as
 * the caller wrote it, for messages.
 */
export class ScopedFiles {
  readonly #guard: PathGuard;
  readonly #locks = new PathLocks();

  constructor(bounds: Pick<Bounds, PathAccess>) {
    this.#guard = new PathGuard(bounds);
  }

  stat(path: string, given: string): FileStat {
    try {
      const { info } = this.#look(path, given);
      return { path, kind: fileKind(info), size: info.size };
    } catch (error) {
      throw fileError(error, "read", given);
    }
  }

  list(path: string, given: string): readonly FolderEntry[] {
    try {
      return this.#steadily(path, () => {
        const { real, info } = this.#look(path, given);
        const entries = [...Deno.readDirSync(real)];
        return this.#guard.holds(real, info) ? entries.map(folderEntry) : undefined;
      });
    } catch (error) {
      throw listError(error, given);
    }
  }

  async read(
    path: string,
    given: string,
    options: ReadOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    try {
      using file = await this.#open(path, given);
      return await readRest(file, options);
    } catch (error) {
      throw fileError(error, "read", given);
    }
  }

  async write(path: string, given: string, data: Uint8Array): Promise<void> {
    try {
      const target = this.#guard.locate(path, "write", given);
      await this.#guard.makeFolder(dirname(target));
      await this.#locks.run(
        await lockKey(target),
        () => replaceFile(target, data, given, this.#guard),
      );
    } catch (error) {
      throw fileError(error, "write", given);
    }
  }

  /** `change` may take its time: other updates of the file wait for it. */
  async update(
    path: string,
    given: string,
    change: (data: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
  ): Promise<void> {
    this.stat(path, given);
    try {
      const target = this.#guard.locate(path, "write", given);
      await this.#locks.run(await lockKey(target), async () => {
        const changed = await change(await this.read(target, given, {}));
        await replaceFile(target, changed, given, this.#guard);
      });
    } catch (error) {
      throw fileError(error, "write", given);
    }
  }

  /** Where `path` leads and what is there. */
  #look(path: string, given: string): { readonly real: string; readonly info: Deno.FileInfo } {
    return this.#steadily(path, () => {
      const real = this.#guard.locate(path, "read", given);
      const info = Deno.lstatSync(real);
      return this.#guard.holds(real, info) ? { real, info } : undefined;
    });
  }

  async #open(path: string, given: string): Promise<Deno.FsFile> {
    for (let tries = 0; tries < TRIES; tries++) {
      const real = this.#guard.locate(path, "read", given);
      const info = await Deno.lstat(real);
      // Before opening, which waits at a pipe for who writes into it.
      if (!info.isFile) requireFile(fileKind(this.#look(path, given).info), given);
      const file = await Deno.open(real);
      const opened = await file.stat();
      if (opened.isFile && this.#guard.holds(real, opened)) return file;
      file.close();
    }
    throw moved(path);
  }

  /** What `attempt` returns once it returns something. */
  #steadily<T>(path: string, attempt: () => T | undefined): T {
    for (let tries = 0; tries < TRIES; tries++) {
      const result = attempt();
      if (result !== undefined) return result;
    }
    throw moved(path);
  }
}
