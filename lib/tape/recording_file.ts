import { dirname } from "@std/path";
import { fileKind, requireFile } from "../environment/file_error.ts";
import { isGranted, requireGranted } from "../environment/granted.ts";
import { BubError, type ErrorKind, toBubError } from "../errors.ts";
import type { EntryDraft, TapeEntry } from "./entry.ts";
import { readEntries } from "./entry_reader.ts";
import { openReadableFile } from "./readable_file.ts";
import { TapeFile } from "./tape_file.ts";

/**
 * The entries of a tape file anywhere, oldest first, damaged lines left out. Throws `config` when
 * there is no such file, or not one entry in it: its path is something the user wrote.
 */
export async function* readTapeFile(path: string): AsyncGenerator<TapeEntry> {
  using file = await openReadableFile(path, "config");
  if (file === null) throw new BubError("config", `no recording at ${path}`);
  let isTape = false;
  for await (const entry of readEntries(file, "oldest")) {
    isTape = true;
    yield entry;
  }
  if (!isTape) throw new BubError("config", `${path} is no recording: no line of it is an entry`);
}

/** A file that model answers are recorded to, as entries with ids from 1. Made at the first one. */
export class RecordingFile {
  readonly #path: string;
  #file: TapeFile | undefined;

  /** What `path` held before is replaced: a recording is of one run. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Makes sure that the file can be written, before an answer is paid for that it could not take;
   * leaves everything as it was. Throws `config`.
   */
  check(): void {
    let isNew = false;
    try {
      for (const name of ["read", "write"] as const) requireGranted({ name, path: this.#path });
      isNew = !exists(this.#path);
      if (isNew && isMissing(dirname(this.#path))) throw missingFolder(this.#path);
      refuseIrregular(this.#path);
      Deno.openSync(this.#path, { read: true, append: true, create: true, mode: 0o600 }).close();
    } catch (thrown) {
      if (thrown instanceof BubError) throw thrown;
      throw unwritable(this.#path, thrown, "config");
    }
    if (isNew) Deno.removeSync(this.#path);
  }

  /** Resolves once written; throws `storage`. */
  append(drafts: readonly EntryDraft[]): Promise<void> {
    return Promise.try(() => {
      try {
        const fresh = this.#file === undefined;
        const file = this.#file ??= new TapeFile(this.#path);
        file.lock();
        try {
          file.isCurrent();
          if (fresh) file.replace(drafts);
          else file.append(drafts, []);
        } finally {
          file.unlock();
        }
      } catch (thrown) {
        throw unwritable(this.#path, thrown, "storage");
      }
    });
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

/** Whether a folder is not there; one that we may not look at counts as there. */
function isMissing(folder: string): boolean {
  return isGranted({ name: "read", path: folder }) && !exists(folder);
}

function exists(path: string): boolean {
  try {
    // A link to nowhere counts: it is not ours to make what it names, or to remove it.
    Deno.lstatSync(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

/** Throws `config` for a folder, a pipe, a device; what is not there yet may become a file. */
function refuseIrregular(path: string): void {
  try {
    requireFile(fileKind(Deno.statSync(path)), path, "config");
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}

function missingFolder(path: string): BubError {
  return new BubError(
    "config",
    `the recording ${path} cannot be written: there is no folder ${dirname(path)}`,
  );
}

function unwritable(path: string, cause: unknown, kind: ErrorKind): BubError {
  const { message } = toBubError(cause);
  return new BubError(kind, `the recording ${path} cannot be written: ${message}`, { cause });
}
