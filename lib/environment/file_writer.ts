import { basename, dirname, join, resolve } from "@std/path";
import { fileKind, requireFile } from "./file_error.ts";

/** As the system's own limit for one path. */
const MAX_LINKS = 40;

/**
 * Where a write to `path` (absolute) lands: the real path behind all symbolic links, also behind
 * one whose target does not exist yet. Creates missing parent folders.
 */
export async function writeTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
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
): Promise<void> {
  const before = await unlessMissing(() => Deno.stat(target));
  if (before === undefined) {
    if (!await replaceByRename(target, data, undefined)) await createDirectly(target, data);
    return;
  }
  requireFile(fileKind(before), given);
  // Replacing needs no right to the file itself: without this a read-only file would be replaced.
  (await Deno.open(target, { write: true })).close();
  if (isShared(before) || !await replaceByRename(target, data, before)) {
    await overwrite(target, data);
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
): Promise<boolean> {
  const temporary = join(dirname(target), `.bub-${crypto.randomUUID()}.tmp`);
  try {
    await fillTemporary(temporary, data, before);
    await Deno.rename(temporary, target);
    return true;
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    if (isDenied(error)) return false;
    throw error;
  }
}

async function fillTemporary(
  temporary: string,
  data: Uint8Array,
  before: Deno.FileInfo | undefined,
): Promise<void> {
  // Nobody but the owner may read content on its way into a file that they may not read.
  const mode = before === undefined ? {} : { mode: 0o600 };
  using file = await Deno.open(temporary, { write: true, createNew: true, ...mode });
  await writeAll(file, data);
  if (before === undefined || before.mode === null || Deno.build.os === "windows") return;
  const made = await file.stat();
  if (made.uid !== before.uid || made.gid !== before.gid) {
    await Deno.chown(temporary, before.uid, before.gid);
  }
  await Deno.chmod(temporary, before.mode & 0o7777);
}

async function createDirectly(target: string, data: Uint8Array): Promise<void> {
  using file = await Deno.open(target, { write: true, createNew: true });
  try {
    await writeAll(file, data);
  } catch (error) {
    await Deno.remove(target).catch(() => {});
    throw error;
  }
}

async function overwrite(target: string, data: Uint8Array): Promise<void> {
  const old = await Deno.readFile(target);
  using file = await Deno.open(target, { write: true });
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
  try {
    const real = await unlessMissing(() => Deno.realPath(path));
    if (real !== undefined) return real;
    await Deno.mkdir(path, { recursive: true });
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return path;
    throw error;
  }
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
