import { join } from "@std/path";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import type { Row } from "./row.ts";
import { talk } from "./talk.ts";
import { writeTape } from "./tape_writer.ts";

const ENTRIES = 100_000;

/** What only the oldest message says. */
const OPENING = "At perihelion we merge the release branch today.";

/** What is looked for, and how many matches there must be at least, fuzzy ones among them. */
const QUERIES: readonly (readonly [query: string, least: number])[] = [
  ["perihelion", 1],
  ["zygomorphic", 0],
  ["conection refussed", 1],
  ["merge the release branch today", 1],
];

/**
 * The slowest of four searches with the defaults of `tape.search`: a word that stands once, at the
 * far end; one that nothing comes near; two misspelt ones; five at the far end. Floor: reading the file.
 */
export const tapeSearch: Row = {
  name: "tape-search",
  what: "search of 100,000 entries, fuzzy matches included",
  unit: "ms",
  budget: { atMost: 250 },
  warmUps: 1,
  rounds: 9,
  open: async (bench) => {
    const folder = join(bench.folder, "search");
    await Deno.mkdir(folder);
    const path = join(folder, "bench.jsonl");
    await writeTape(path, talk(ENTRIES, OPENING));
    return async () => {
      const floorStart = performance.now();
      await Deno.readFile(path);
      const floor = performance.now() - floorStart;
      const times: number[] = [];
      for (const [query, least] of QUERIES) times.push(await searchTime(folder, query, least));
      return { value: Math.max(...times), floor };
    };
  },
};

async function searchTime(folder: string, query: string, least: number): Promise<number> {
  const tape = new Tape(new FileTapeStore(folder), "bench");
  const start = performance.now();
  const { matches } = await tape.search({
    query,
    limit: 20,
    start: null,
    end: null,
    kinds: ["message", "tool_result"],
  });
  const time = performance.now() - start;
  tape.store.close();
  if (matches.length < least) throw new Error(`"${query}": ${matches.length} matches`);
  return time;
}
