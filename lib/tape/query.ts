import { BubError } from "../errors.ts";
import type { TapeEntry } from "./entry.ts";
import type { TapeStore } from "./store.ts";

/** Where a context starts: null, the tape's start; `last`, its last anchor; else the last so named. */
export type AnchorChoice = string | null;

/**
 * The entries after an anchor, oldest first; the anchor itself is not among them (TP5). `last` on a
 * tape without anchors means all of it. Throws `not_found` for a name that no anchor has.
 */
export async function entriesAfterAnchor(
  store: TapeStore,
  tape: string,
  anchor: AnchorChoice,
): Promise<readonly TapeEntry[]> {
  if (anchor === null) return await Array.fromAsync(store.read(tape, "oldest"));
  const name = anchor === "last" ? undefined : anchor;
  // Looked for first: a wrong name must not bring the whole tape into memory.
  if (name !== undefined && await lastAnchor(store, tape, name) === null) {
    throw new BubError("not_found", `the tape has no anchor named ${JSON.stringify(name)}`);
  }
  const entries: TapeEntry[] = [];
  for await (const entry of store.read(tape, "newest")) {
    if (isAnchor(entry, name)) break;
    entries.push(entry);
  }
  return entries.reverse();
}

/** The newest anchor, or the newest with that name; null when there is none. */
export async function lastAnchor(
  store: TapeStore,
  tape: string,
  name?: string,
): Promise<TapeEntry | null> {
  for await (const entry of store.read(tape, "newest")) {
    if (isAnchor(entry, name)) return entry;
  }
  return null;
}

/** The names of all anchors, in recorded order. */
export async function anchorNames(store: TapeStore, tape: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of store.read(tape, "oldest", { mention: ['"anchor"'] })) {
    if (isAnchor(entry, undefined)) names.push(String(entry.payload.name ?? ""));
  }
  return names;
}

/** Whether two looks at a tape met one entry. After a reset ids are given again. */
export function isSameEntry(a: TapeEntry, b: TapeEntry): boolean {
  return a.id === b.id && a.date === b.date && a.kind === b.kind &&
    JSON.stringify(a.payload) === JSON.stringify(b.payload);
}

function isAnchor({ kind, payload }: TapeEntry, name: string | undefined): boolean {
  return kind === "anchor" && (name === undefined || payload.name === name);
}
