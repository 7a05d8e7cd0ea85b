/** What a path turned out to be, after following links. */
export const FILE_KINDS = ["file", "directory", "pipe", "socket", "device", "other"] as const;
export type FileKind = typeof FILE_KINDS[number];

export interface FileStat {
  /** The absolute path that was looked at. */
  readonly path: string;
  readonly kind: FileKind;
  /** Bytes; 0 for files that do not know, such as those under /proc. */
  readonly size: number;
}

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  /** Links are not followed; what is none of these is `other`. */
  readonly kind: "file" | "directory" | "link" | "other";
}

export interface ReadOptions {
  /** Stop after that many bytes (the answer is then longer by at most one read). */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface FetchOptions {
  readonly headers: Headers;
  /** Stop reading the decoded body after that many bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface FetchResult {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean;
}

export interface ShellOptions {
  /** Relative to the workspace; default the workspace. */
  readonly cwd?: string | undefined;
}

/** Up to so many bytes of a shell's output are handed on whole, more in pieces. */
export const WHOLE_OUTPUT_BYTES = 64 * 2 ** 20;

export const SHELL_STATUSES = ["running", "exited", "killed"] as const;
export type ShellStatus = typeof SHELL_STATUSES[number];

/** A part of a shell's output. */
export interface OutputSlice {
  readonly text: string;
  /** The offset, in characters, right behind `text`. */
  readonly next: number;
}

/** One command line running in its own process group, with all it has printed so far. */
export interface Shell {
  readonly id: string;
  readonly command: string;
  readonly status: ShellStatus;
  /** Null while it runs; 128 + N when signal N ended it. */
  readonly exitCode: number | null;
  /** Resolves when the shell has exited and its output has been collected; never rejects. */
  readonly ended: Promise<void>;
  /** Bytes printed so far. */
  outputBytes(): Promise<number>;
  /**
   * Characters `offset` to `offset + limit`, clamped to what there is; `limit` null: to the end. Of
   * more than `WHOLE_OUTPUT_BYTES` it is a piece, and `next` tells where to go on. A character cut
   * at the end is held back while the shell runs.
   */
  output(offset: number, limit: number | null): Promise<OutputSlice>;
  /** All output from its start in pieces of bounded size, as it comes, until the shell has ended. */
  follow(): AsyncIterable<string>;
  /** At most the last `limit` characters there are now. */
  tail(limit: number): Promise<string>;
  /**
   * TERM to the whole group, KILL after `graceMs` milliseconds (default 3,000); resolves when it
   * has ended, fine when it had.
   */
  kill(graceMs?: number): Promise<void>;
}

/** The shells of one session, by id, readable until the session ends. */
export interface Shells {
  start(command: string, options?: ShellOptions): Promise<Shell>;
  /** Throws `not_found`, listing the known ids. */
  get(id: string): Shell;
  list(): readonly Shell[];
  /**
   * Forgets an ended shell whose whole output was handed on, unless processes it started still run.
   */
  release(id: string): Promise<void>;
  /**
   * Ends every process the session started, those of ended shells included, and drops output.
   * TERM, then KILL after `graceMs` milliseconds (default 1,000); 0 sends KILL before it returns
   * its promise.
   */
  stopAll(graceMs?: number): Promise<void>;
}

/**
 * All that tools may touch: files, processes, network. One per session, shared with its subagents.
 * Every path may be relative (to the workspace), start with `~`, or be a `file:` URL. A denied
 * operation rejects with a `permission` error that names the missing access and the flag.
 */
export interface Environment {
  /** Absolute real path. */
  readonly workspace: string;
  /** `Deno.build.os`: what the system prompt tells the model. */
  readonly platform: string;
  /** Name of the shell that runs commands, such as `bash`. */
  shellName(): Promise<string>;

  /** The absolute path that `path` stands for; nothing is looked up on disk. */
  resolve(path: string): string;

  /** Throws `not_found` naming the path as given. */
  stat(path: string): Promise<FileStat>;

  /** What is in a folder, in no particular order. Throws `not_found`, and for what is no folder. */
  listFolder(path: string): Promise<readonly FolderEntry[]>;

  /** The bytes of a regular file. Anything else (missing, folder, pipe, device) throws before opening. */
  readFile(path: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Writes a whole file: creates parent folders, keeps the mode, writes through symbolic links,
   * and never leaves half a file behind (several hard links: in place). A path that names a folder,
   * by a slash at its end, is `invalid_input`.
   */
  writeFile(path: string, data: Uint8Array): Promise<void>;

  /**
   * Reads, changes and writes one file while every other update of it, by whatever spelling of
   * its path, waits. `change` throws to leave the file untouched.
   */
  updateFile(
    path: string,
    change: (data: Uint8Array<ArrayBuffer>) => Uint8Array,
  ): Promise<void>;

  /** A new, empty table of shells for one session. */
  createShells(): Shells;

  /** One GET, redirects followed (at most 20). Only `http:` and `https:`. */
  fetch(url: string, options: FetchOptions): Promise<FetchResult>;
}
