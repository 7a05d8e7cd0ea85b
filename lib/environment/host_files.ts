import type { FileStat, FolderEntry, ReadOptions } from "./environment.ts";
import { BubError } from "../errors.ts";
import { fileError, fileKind, requireFile } from "./file_error.ts";
import { readRest } from "./file_reader.ts";
import { requireGranted } from "./granted.ts";

/** Facts about `path` (absolute), links followed; `given` is what errors call it. */
export async function statPath(path: string, given: string): Promise<FileStat> {
  try {
    requireGranted({ name: "read", path });
    const info = await Deno.stat(path);
    return { path, kind: fileKind(info), size: info.size };
  } catch (error) {
    throw fileError(error, "read", given);
  }
}

/** What is in the folder `path` (absolute), links not followed. */
export async function listPath(path: string, given: string): Promise<readonly FolderEntry[]> {
  try {
    requireGranted({ name: "read", path });
    return await Array.fromAsync(Deno.readDir(path), folderEntry);
  } catch (error) {
    throw listError(error, given);
  }
}

/** What a listing tells of one name. */
export function folderEntry(
  { name, isFile, isDirectory, isSymlink }: Deno.DirEntry,
): FolderEntry {
  const kind = isFile ? "file" : isDirectory ? "directory" : isSymlink ? "link" : "other";
  return { name, kind };
}

/** A failure to list the folder that the caller calls `given`. */
export function listError(thrown: unknown, given: string): unknown {
  return thrown instanceof Deno.errors.NotADirectory
    ? new BubError("tool", `${given} is a file, not a folder`, { cause: thrown })
    : fileError(thrown, "read", given);
}

/**
 * The bytes of a regular file. What else `path` may be is refused by `stat` beforehand, because
 * opening a pipe waits for a writer and a device may have no end.
 */
export async function readPath(
  path: string,
  given: string,
  { maxBytes = Infinity, signal }: ReadOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { kind, size } = await statPath(path, given);
  requireFile(kind, given);
  try {
    if (size > maxBytes) return await readStart(path, maxBytes);
    // Abortable even inside open(), should the file have become a pipe since.
    return await Deno.readFile(path, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, "read", given);
  }
}

async function readStart(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  using file = await Deno.open(path);
  return await readRest(file, { maxBytes });
}
