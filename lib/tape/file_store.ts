import { basename, join } from "@std/path";
import { requireGranted } from "../environment/granted.ts";
import { BubError, toBubError } from "../errors.ts";
import { archiveFile } from "./archive.ts";
import type { EntryDraft, TapeEntry } from "./entry.ts";
import { readEntries } from "./entry_reader.ts";
import { checkDrafts } from "./line.ts";
import type { LineSieve } from "./line_sieve.ts";
import { checkTapeName, isTapeName } from "./name.ts";
import { openReadableFile } from "./readable_file.ts";
import type {
  AppendOptions,
  ReadOptions,
  TapeInfo,
  TapeMatches,
  TapeOrder,
  TapeQuery,
  TapeStore,
  TapeSummary,
} from "./store.ts";
import { TapeFile } from "./tape_file.ts";

// Named by variables, so that Deno loads them when they are used and not before (see main.ts).
const SEARCH = "./search.ts";
const FILE_INFO = "./file_info.ts";

/** Tapes whose files are kept open, so that hundreds of sessions do not use up file descriptors. */
const MAX_OPEN = 64;

/** A line that is no entry: what a crash or a full disk leaves. */
export interface TapeDamage {
  readonly tape: string;
  /** Where in the file, in bytes, the line starts. */
  readonly offset: number;
  readonly reason: string;
}

export interface FileTapeStoreOptions {
  /** Takes the first damaged line met in each tape; the line is then passed over. */
  readonly onDamage?: (damage: TapeDamage) => void;
}

/**
 * Tapes as files, one JSON object a line, in one folder that is made when first needed. Writers
 * hold an exclusive `flock` on the tape's file, whatever process they are in; it ends with the
 * process, so nothing stale can stay behind.
 */
export class FileTapeStore implements TapeStore {
  readonly #folder: string;
  readonly #onDamage: (damage: TapeDamage) => void;
  readonly #files = new Map<string, TapeFile>();
  /** Tapes whose damage has been reported. */
  readonly #reported = new Set<string>();

  /** `folder` is `<home>/tapes`. */
  constructor(folder: string, { onDamage = () => {} }: FileTapeStoreOptions = {}) {
    this.#folder = folder;
    this.#onDamage = onDamage;
  }

  append(
    tape: string,
    drafts: readonly EntryDraft[],
    { start = [] }: AppendOptions = {},
  ): Promise<readonly TapeEntry[]> {
    if (drafts.length === 0 && start.length === 0) return Promise.resolve([]);
    return Promise.try(() => {
      // Before the tape's file is made, or emptied.
      checkDrafts(drafts);
      return this.#locked(tape, (file) => file.append(drafts, start));
    });
  }

  async *read(
    tape: string,
    order: TapeOrder,
    { mention }: ReadOptions = {},
  ): AsyncGenerator<TapeEntry, void, void> {
    using file = await openReadableFile(this.#path(tape));
    if (file === null) return;
    yield* readEntries(file, order, { onDamage: this.#reporter(tape), mention });
  }

  /**
   * The one search of all stores, but for lines that cannot match, which are not even parsed.
   *
   * @param archives Names that `reset` returned: searched behind the tape, in this order.
   */
  async search(
    tape: string,
    query: TapeQuery,
    archives: readonly string[] = [],
  ): Promise<TapeMatches> {
    const { TapeSearch }: typeof import("./search.ts") = await import(SEARCH);
    const search = new TapeSearch(query);
    return await search.run(
      { entries: this.#sifted(tape, this.#path(tape), search.sieve) },
      ...archives.map((archive) => ({
        archive,
        entries: this.#sifted(archive, join(this.#folder, archive), search.sieve),
      })),
    );
  }

  async info(tape: string): Promise<TapeInfo> {
    const { fileInfo }: typeof import("./file_info.ts") = await import(FILE_INFO);
    using file = await openReadableFile(this.#path(tape));
    return await fileInfo(file, tape);
  }

  /** Empty files are no tapes yet, and files whose names no tape can have are none. */
  async list(): Promise<readonly TapeSummary[]> {
    const tapes: TapeSummary[] = [];
    try {
      requireGranted({ name: "read", path: this.#folder });
      for await (const { name, isFile } of Deno.readDir(this.#folder)) {
        const tape = basename(name, ".jsonl");
        if (!isFile || !name.endsWith(".jsonl") || !isTapeName(tape)) continue;
        const info = await statIfThere(join(this.#folder, name));
        if (info === null || info.size === 0) continue;
        tapes.push({ name: tape, size: info.size, modified: info.mtime });
      }
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return [];
      throw storageError("tapes cannot be listed", thrown);
    }
    return tapes;
  }

  remove(tape: string): Promise<void> {
    return Promise.try(() => {
      const path = this.#path(tape);
      if (!exists(path)) return;
      this.#locked(tape, () => Deno.removeSync(path));
      this.#forget(tape);
    });
  }

  reset(
    tape: string,
    drafts: readonly EntryDraft[],
    { archive = false }: { readonly archive?: boolean } = {},
  ): Promise<string | null> {
    return Promise.try(() => {
      checkDrafts(drafts);
      const path = this.#path(tape);
      const isEmptied = drafts.length === 0;
      if (isEmptied && !exists(path)) return null;
      const kept = this.#locked(tape, (file) => {
        const kept = archive && file.size > 0 ? basename(this.#archive(tape, path)) : null;
        if (isEmptied) Deno.removeSync(path);
        else file.replace(drafts);
        return kept;
      });
      if (isEmptied) this.#forget(tape);
      return kept;
    });
  }

  close(): void {
    for (const tape of [...this.#files.keys()]) this.#forget(tape);
  }

  /** What a search is to look at of a file, newest first. */
  async *#sifted(
    name: string,
    path: string,
    sieve: LineSieve,
  ): AsyncGenerator<TapeEntry, void, void> {
    using file = await openReadableFile(path);
    if (file === null) return;
    yield* readEntries(file, "newest", { onDamage: this.#reporter(name), sieve });
  }

  #path(tape: string): string {
    return join(this.#folder, `${checkTapeName(tape)}.jsonl`);
  }

  /** Calls `work` with the tape's file while no other process or handle writes to it. */
  #locked<T>(tape: string, work: (file: TapeFile) => T): T {
    const path = this.#path(tape);
    try {
      for (let attempt = 0; attempt < 100; attempt++) {
        const file = this.#open(tape, path);
        file.lock();
        try {
          if (file.isCurrent()) return work(file);
        } finally {
          file.unlock();
        }
        // Another process removed or replaced the file while this one had it open.
        this.#forget(tape);
      }
    } catch (thrown) {
      throw storageError(`tape "${tape}" cannot be written, and is as it was`, thrown);
    }
    throw new BubError("storage", `tape "${tape}" cannot be written: ${path} keeps being replaced`);
  }

  #open(tape: string, path: string): TapeFile {
    const known = this.#files.get(tape);
    if (known !== undefined) return known;
    for (const oldest of this.#files.keys()) {
      if (this.#files.size < MAX_OPEN) break;
      this.#forget(oldest);
    }
    const file = new TapeFile(path);
    this.#files.set(tape, file);
    return file;
  }

  #archive(tape: string, path: string): string {
    try {
      return archiveFile(path);
    } catch (thrown) {
      throw storageError(`tape "${tape}" cannot be archived, and is as it was`, thrown);
    }
  }

  #forget(tape: string): void {
    this.#files.get(tape)?.close();
    this.#files.delete(tape);
  }

  #reporter(tape: string): (offset: number, reason: string) => void {
    return (offset, reason) => {
      if (this.#reported.has(tape)) return;
      this.#reported.add(tape);
      this.#onDamage({ tape, offset, reason });
    };
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw storageError(`${path} cannot be read`, thrown);
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

/** What the file system refused, as one sentence; a missing permission keeps its own kind. */
function storageError(failure: string, thrown: unknown): BubError {
  const { kind, message } = toBubError(thrown, "storage");
  return thrown instanceof BubError
    ? thrown
    : new BubError(kind, `${failure}: ${message}`, { cause: thrown });
}
