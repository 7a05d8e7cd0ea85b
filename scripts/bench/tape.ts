import { join } from "@std/path";
import { type EntryDraft, messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import type { Row } from "./row.ts";
import { lines, writeTape } from "./tape_writer.ts";

/** Appends of one sample. */
const APPENDS = 20_000;
const LONG_TAPE = 1_000_000;
const AFTER_ANCHOR = 100;

/** An entry of about 300 bytes. */
const DRAFT: EntryDraft = messageEntry(
  { role: "user", content: "x".repeat(150) },
  { run_id: "run-20261201T101112131000Z" },
);

/**
 * Entries of 300 bytes that one process appends in a second, each in an append of its own that is
 * waited for. Floor: the lines alone, written one by one to an open file.
 */
export const tapeAppend: Row = {
  name: "tape-append",
  what: "tape append, one process",
  unit: "/s",
  budget: { atLeast: 60_000 },
  warmUps: 1,
  rounds: 9,
  open: (bench) => {
    const folder = join(bench.folder, "append");
    const store = bench.resources.adopt(new FileTapeStore(folder), (store) => store.close());
    const tape = new Tape(store, "bench");
    return Promise.resolve(async () => {
      await store.remove(tape.name);
      await tape.append(DRAFT);
      const floor = await appendLines(join(folder, "floor.txt"));
      const value = await rate(async () => {
        for (let n = 0; n < APPENDS; n++) await tape.append(DRAFT);
      });
      return { value, floor };
    });
  },
};

/**
 * The default context of a tape of 1,000,000 entries (300 MB) whose last anchor stands 100 before
 * the end, from a store that has not seen it yet. Floor: reading those 100 lines, whose place is
 * known, and parsing them.
 */
export const tapeContext: Row = {
  name: "tape-context",
  what: "context of 1,000,000 entries, 100 after the last anchor",
  unit: "ms",
  budget: { atMost: 10 },
  warmUps: 0,
  rounds: 9,
  open: async (bench) => {
    const folder = join(bench.folder, "long");
    await Deno.mkdir(folder);
    const path = join(folder, "bench.jsonl");
    await writeTape(path, longTape());
    const end = lines(LONG_TAPE - AFTER_ANCHOR + 1, Array(AFTER_ANCHOR).fill(DRAFT)).length;
    return async () => {
      const floorStart = performance.now();
      await parseEnd(path, end);
      const start = performance.now();
      const tape = new Tape(new FileTapeStore(folder), "bench");
      const context = await tape.context();
      const value = performance.now() - start;
      tape.store.close();
      if (context.length !== AFTER_ANCHOR) throw new Error(`${context.length} messages`);
      return { value, floor: start - floorStart };
    };
  },
};

/** How often a second `work`, which does something `APPENDS` times, did it. */
async function rate(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return APPENDS * 1000 / (performance.now() - start);
}

async function appendLines(path: string): Promise<number> {
  const line = lines(1, [DRAFT]);
  using file = await Deno.open(path, { create: true, truncate: true, write: true });
  return await rate(() => {
    for (let n = 0; n < APPENDS; n++) file.writeSync(line);
  });
}

/** Where the last anchor stands, as `writeTape` counts: one entry is before all others. */
const ANCHOR = LONG_TAPE - AFTER_ANCHOR - 2;

function* longTape(): Generator<EntryDraft, void, void> {
  for (let n = 0; n < ANCHOR; n++) yield DRAFT;
  yield SESSION_START;
  for (let n = 0; n < AFTER_ANCHOR; n++) yield DRAFT;
}

async function parseEnd(path: string, length: number): Promise<void> {
  using file = await Deno.open(path, { read: true });
  await file.seek(-length, Deno.SeekMode.End);
  const bytes = new Uint8Array(length);
  await file.read(bytes);
  for (const line of new TextDecoder().decode(bytes).trim().split("\n")) JSON.parse(line);
}
