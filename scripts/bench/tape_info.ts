import { join } from "@std/path";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import type { Row } from "./row.ts";
import { talk } from "./talk.ts";
import { writeTape } from "./tape_writer.ts";

const ENTRIES = 1_000_000;
const BLOCK = 1 << 20;

/** The facts of a long tape, of which every line has to be looked at. Floor: reading the file. */
export const tapeInfo: Row = {
  name: "tape-info",
  what: "tape.info of 1,000,000 entries",
  unit: "ms",
  warmUps: 1,
  rounds: 5,
  open: async (bench) => {
    const folder = join(bench.folder, "info");
    await Deno.mkdir(folder);
    const path = join(folder, "bench.jsonl");
    await writeTape(path, talk(ENTRIES, "Hello"));
    return async () => {
      const floorStart = performance.now();
      await readThrough(path);
      const start = performance.now();
      const tape = new Tape(new FileTapeStore(folder), "bench");
      const { entries } = await tape.info();
      const value = performance.now() - start;
      tape.store.close();
      if (entries !== ENTRIES + 1) throw new Error(`${entries} entries`);
      return { value, floor: start - floorStart };
    };
  },
};

async function readThrough(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true });
  const block = new Uint8Array(BLOCK);
  while (await file.read(block) !== null);
}
