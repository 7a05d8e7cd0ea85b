import { basename, dirname, join, resolve } from "@std/path";
import { fileKind, requireFile } from "./file_error.ts";
import { readRest } from "./file_reader.ts";
import { isGranted, requireGranted } from "./granted.ts";
import { removeTemporary, temporaryPath } from "./temporary_path.ts";

/** As the system's own limit for one path. */
const MAX_LINKS = 40;

/**
 * Sees to it that a path still leads where it did while it is used: everything in the file system
 * goes by path, which other programs may change meanwhile. Both throw when it does not.
 */
export interface PathWatch {
  /** Called right before something is made, replaced or removed at `path`. */
  before(path: string): void;
  /** Called with what was opened at `path`, before it is read or written. */
  opened(path: string, file: Deno.FsFile): void;
}

/** Takes the file system as it comes. */
const UNWATCHED: PathWatch = { before() {}, opened() {} };

/**
 * Where a write to `path` (absolute) lands: the real path behind all symbolic links, also behind
 * one whose target does not exist yet. Creates missing parent folders.
 */
export async function writeTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    requireGranted({ name: "read", path: target });
    const real = await unlessMissing(() => Deno.realPath(target));
    if (real !== undefined) return real;
    const parent = await realFolder(dirname(target));
    target = join(parent, basename(target));
    const link = await unlessMissing(() => linkAt(target));
    if (link === undefined) return target;
    target = resolve(parent, link);
  }
  throw new Deno.errors.FilesystemLoop(path);
}

/** What changes of `target`, a real path, wait for each other by: hard links are one file. */
export async function lockKey(target: string): Promise<string> {
  const info = await unlessMissing(() => Deno.stat(target));
  return info !== undefined && isShared(info) ? `${info.dev}:${info.ino}` : target;
}

/**
 * Makes `data` the whole content of the file at the real path `target`. Readers see the old or the
 * new content, nothing between, and a failure leaves the old: the bytes go to a temporary file
 * beside it that takes its place with mode and owner. In place only where that would break hard
 * links or the owner, or the folder admits no new file; a failed write is then taken back.
 */
export async function replaceFile(
  target: string,
  data: Uint8Array,
  given: string,
  watch: PathWatch = UNWATCHED,
): Promise<void> {
  requireGranted({ name: "write", path: target });
  const before = await unlessMissing(() => Deno.lstat(target));
  if (before === undefined) {
    const renamed = await replaceByRename(target, data, undefined, watch);
    if (!renamed) await createDirectly(target, data, watch);
    return;
  }
  requireFile(fileKind(before), given);
  // Replacing needs no right to the file itself: without this a read-only file would be replaced.
  (await Deno.open(target, { write: true })).close();
  if (isShared(before) || !await replaceByRename(target, data, before, watch)) {
    await overwrite(target, data, watch);
  }
}

function isShared(info: Deno.FileInfo): boolean {
  return (info.nlink ?? 1) > 1;
}

/** False when the folder or the system does not allow it; nothing has changed then. */
async function replaceByRename(
  target: string,
  data: Uint8Array,
  before: Deno.FileInfo | undefined,
  watch: PathWatch,
): Promise<boolean> {
  const temporary = temporaryPath(dirname(target));
  if (temporary === undefined) return false;
  // Nobody but the owner may read content on its way into a file that they may not read.
  const options = before === undefined ? {} : { mode: 0o600 };
  let made = false;
  try {
    const file = createAtOnce(temporary, options, watch);
    made = true;
    await fillTemporary(file, temporary, data, before, watch);
    // Within one folder: should that be another by now, the temporary file is not in it.
    renameAtOnce(temporary, target, watch);
    return true;
  } catch (error) {
    if (made) await removeTemporary(temporary);
    if (isDenied(error)) return false;
    throw error;
  }
}

/** Makes a new file and opens it. */
function createAtOnce(
  path: string,
  options: Pick<Deno.OpenOptions, "mode">,
  watch: PathWatch,
): Deno.FsFile {
  watch.before(path);
  return Deno.openSync(path, { write: true, createNew: true, ...options });
}

function renameAtOnce(from: string, to: string, watch: PathWatch): void {
  watch.before(to);
  Deno.renameSync(from, to);
}

/** Writes and closes `file`, which then has the mode and owner that are told by `before`. */
async function fillTemporary(
  file: Deno.FsFile,
  temporary: string,
  data: Uint8Array,
  before: Deno.FileInfo | undefined,
  watch: PathWatch,
): Promise<void> {
  using _open = file;
  watch.opened(temporary, file);
  await writeAll(file, data);
  if (before === undefined || before.mode === null || Deno.build.os === "windows") return;
  const made = await file.stat();
  if (made.uid !== before.uid || made.gid !== before.gid) {
    await Deno.chown(temporary, before.uid, before.gid);
  }
  await Deno.chmod(temporary, before.mode & 0o7777);
}

async function createDirectly(
  target: string,
  data: Uint8Array,
  watch: PathWatch,
): Promise<void> {
  using file = createAtOnce(target, {}, watch);
  watch.opened(target, file);
  try {
    await writeAll(file, data);
  } catch (error) {
    await Deno.remove(target).catch(() => {});
    throw error;
  }
}

async function overwrite(target: string, data: Uint8Array, watch: PathWatch): Promise<void> {
  using file = await Deno.open(target, { read: true, write: true });
  watch.opened(target, file);
  const old = await readRest(file);
  await file.seek(0, Deno.SeekMode.Start);
  try {
    await writeAll(file, data);
    await file.truncate(data.length);
  } catch (error) {
    // The old blocks are still there, so that this fits even on a full disk.
    await file.seek(0, Deno.SeekMode.Start);
    await writeAll(file, old);
    await file.truncate(old.length);
    throw error;
  }
}

async function writeAll(file: Deno.FsFile, data: Uint8Array): Promise<void> {
  for (let written = 0; written < data.length;) {
    written += await file.write(data.subarray(written));
  }
}

/**
 * The real path of a folder, created with its parents where missing. As it is where permissions
 * cover one file alone: that file may be written all the same.
 */
async function realFolder(path: string): Promise<string> {
  if (!isGranted({ name: "read", path })) return path;
  const real = await unlessMissing(() => Deno.realPath(path));
  if (real !== undefined) return real;
  if (!isGranted({ name: "write", path })) return path;
  await Deno.mkdir(path, { recursive: true });
  return await Deno.realPath(path);
}

/** The text of the link at `path`; undefined for what is none. */
async function linkAt(path: string): Promise<string | undefined> {
  const info = await Deno.lstat(path);
  return info.isSymlink ? await Deno.readLink(path) : undefined;
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
}
