import { join } from "@std/path";
import { isSidecar, mainTape } from "../../tape/name.ts";
import type { TapeSummary } from "../../tape/store.ts";
import type { TapeFolder } from "./tape_folder.ts";

const ARCHIVE = /^(?<tape>.+)\.jsonl\.(?<stamp>\d{8}T\d{6}Z)(?:-(?<number>\d+))?\.bak$/;

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
    ({ name }) => mainTape(archivedTape(name)),
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

/** The name of the tape that an archive was made of. */
export function archivedTape(archive: string): string {
  return ARCHIVE.exec(archive)?.groups?.tape ?? archive;
}

/** Which of two archives comes first where the newest does, by what their names say. */
export function newestArchive(a: Archive, b: Archive): number {
  const [first, second] = [moment(a), moment(b)];
  return first.stamp === second.stamp
    ? second.number - first.number
    : first.stamp < second.stamp
    ? 1
    : -1;
}

function moment({ name }: Archive): { readonly stamp: string; readonly number: number } {
  const { stamp = "", number = "1" } = ARCHIVE.exec(name)?.groups ?? {};
  return { stamp, number: Number(number) };
}

/** The archives in a folder of tapes, those of sidecars too, in no particular order. */
export async function readArchives(folder: string): Promise<readonly Archive[]> {
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
