import { join } from "@std/path";
import { isSidecar, mainTape } from "../../tape/name.ts";
import { trySessionLock } from "../../tape/session_lock.ts";
import type { CommandContext } from "../command.ts";
import { byteSize } from "./byte_size.ts";
import { sweepMedia } from "./media_sweep.ts";
import type { Shelf } from "./shelf.ts";
import { storageError, type TapeFolder } from "./tape_folder.ts";

/** `2 tapes, 1 sidecar and 1 archive, 3.4 MiB in all`. */
export function describe(shelves: readonly Shelf[]): string {
  const files = shelves.flatMap(({ tapes, archives }) => [...tapes, ...archives]);
  const tapes = shelves.flatMap((shelf) => shelf.tapes);
  const sidecars = tapes.filter(({ name }) => isSidecar(name)).length;
  const archives = files.length - tapes.length;
  const parts = [
    count(tapes.length - sidecars, "tape"),
    count(sidecars, "sidecar"),
    count(archives, "archive"),
  ].filter((part) => part !== "");
  const last = parts.pop() ?? "";
  const listed = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
  return `${listed}, ${byteSize(total(files))}${files.length > 1 ? " in all" : ""}`;
}

/**
 * Removes all that the shelves hold, says so line by line, and then drops the media that nothing
 * refers to any more. Returns the names of the tapes
 * that stayed because their sessions run, or ran a moment ago.
 */
export async function removeShelves(
  shelves: readonly Shelf[],
  folder: TapeFolder,
  { console: { stdout } }: Pick<CommandContext, "console">,
): Promise<readonly string[]> {
  const running: string[] = [];
  for (const shelf of shelves) {
    using held = trySessionLock(folder.lockFile(shelf.name));
    if (held === null || await isChanged(shelf, folder)) {
      running.push(shelf.name);
      continue;
    }
    for (const { name } of shelf.tapes) {
      await folder.store.remove(name);
      await stdout.write(`removed ${stdout.safe(name)}\n`);
    }
    if (shelf.tapes.some(({ name }) => name === shelf.name)) await removeEmpty(shelf.name, folder);
    for (const { name } of shelf.archives) {
      await removeFile(join(folder.path, name));
      await stdout.write(`removed ${stdout.safe(name)}\n`);
    }
  }
  const dropped = await sweepMedia(folder);
  if (dropped.length > 0) {
    const media = count(dropped.length, "media file");
    await stdout.write(`removed ${media} without a tape, ${byteSize(total(dropped))}\n`);
  }
  return running;
}

/** Whether a turn has ended since the shelf was read, perhaps while the user was being asked. */
async function isChanged({ tapes }: Shelf, folder: TapeFolder): Promise<boolean> {
  for (const { name, modified } of tapes) {
    const now = await folder.summary(name);
    if (now !== null && now.modified?.getTime() !== modified?.getTime()) return true;
  }
  return false;
}

/** Drops the files of a removed tape's sidecars that hold nothing, and so are in no list. */
async function removeEmpty(tape: string, { path, files }: TapeFolder): Promise<void> {
  if (files === null) return;
  for (const { name, isFile } of await Array.fromAsync(Deno.readDir(path))) {
    if (!isFile || !name.endsWith(".jsonl") || !isSidecar(name) || mainTape(name) !== tape) {
      continue;
    }
    const file = join(path, name);
    if ((await Deno.stat(file)).size === 0) await removeFile(file);
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return;
    throw storageError(`${path} cannot be removed`, thrown);
  }
}

function total(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function count(number: number, word: string): string {
  return number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`;
}
