import { join } from "@std/path";
import type { StoredMedia } from "../../tape/file_media_store.ts";
import { fileMediaReferences, mediaReferences } from "../../tape/media_references.ts";
import { trySessionLock } from "../../tape/session_lock.ts";
import { storageError, type TapeFolder } from "./tape_folder.ts";

/**
 * How long media stay, in ms, that nothing refers to while any session runs: a fork of a session
 * may live in memory alone.
 */
const FRESH_MS = 24 * 3_600_000;

/** Drops the media that no tape, sidecar or archive refers to, and returns them. */
export async function sweepMedia(folder: TapeFolder): Promise<readonly StoredMedia[]> {
  return await folder.media.sweep(async () => {
    const referenced = await allReferences(folder);
    const newest = await isAnyRunning(folder.path) ? Date.now() - FRESH_MS : Infinity;
    return ({ sha256, modified }) => !referenced.has(sha256) && (modified?.getTime() ?? 0) < newest;
  });
}

async function allReferences(folder: TapeFolder): Promise<ReadonlySet<string>> {
  const references = new Set<string>();
  // The files count too where a plugin keeps the tapes: it may not always have done so.
  for (const name of await namesIn(folder.path)) {
    if (!/\.(?:jsonl|bak)$/.test(name)) continue;
    for (const sha256 of await fileMediaReferences(join(folder.path, name))) references.add(sha256);
  }
  if (folder.files !== null) return references;
  for (const { name } of await folder.store.list()) {
    for await (const { payload } of folder.store.read(name, "oldest")) {
      for (const sha256 of mediaReferences(JSON.stringify(payload))) references.add(sha256);
    }
  }
  return references;
}

async function isAnyRunning(path: string): Promise<boolean> {
  for (const name of await namesIn(path)) {
    if (name.endsWith(".lock") && isHeld(join(path, name))) return true;
  }
  return false;
}

function isHeld(lockFile: string): boolean {
  using free = trySessionLock(lockFile);
  return free === null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return [];
    throw storageError(`${folder} cannot be read`, thrown);
  }
}
