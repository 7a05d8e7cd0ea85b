import { join } from "@std/path";
import { isSidecar, mainTape } from "../../tape/name.ts";
import type { TapeSummary } from "../../tape/store.ts";
import type { TapeFolder } from "./tape_folder.ts";

const ARCHIVE = /^(.+)\.jsonl\.\d{8}T\d{6}Z(?:-\d+)?\.bak$/;

/** An archive: a file below `<home>/tapes`, which is what its name names. */
export type Archive = TapeSummary;

/** A tape and what lies beside it. */
export interface Shelf {
  /** Name of the main tape, whether that is there or not. */
  readonly name: string;
  /** The main tape and its sidecars, these first: what a removal breaks off at is still listed. */
  readonly tapes: readonly TapeSummary[];
  readonly archives: readonly Archive[];
}

/** Everything in a folder of tapes, by main tape. */
export async function readShelves({ path, store }: TapeFolder): Promise<readonly Shelf[]> {
  const tapes = Map.groupBy(await store.list(), ({ name }) => mainTape(name));
  const archives = Map.groupBy(
    await readArchives(path),
    ({ name }) => mainTape(ARCHIVE.exec(name)?.[1] ?? name),
  );
  return [...new Set([...tapes.keys(), ...archives.keys()])].sort().map((name) => ({
    name,
    tapes: (tapes.get(name) ?? []).toSorted(sidecarsFirst),
    archives: archives.get(name) ?? [],
  }));
}

function sidecarsFirst(a: TapeSummary, b: TapeSummary): number {
  return Number(isSidecar(b.name)) - Number(isSidecar(a.name)) || (a.name < b.name ? -1 : 1);
}

async function readArchives(folder: string): Promise<readonly Archive[]> {
  const archives: Archive[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !ARCHIVE.test(name)) continue;
      const { size, mtime } = await Deno.stat(join(folder, name));
      archives.push({ name, size, modified: mtime });
    }
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
  return archives;
}
