import type { Bench } from "./bench.ts";
import { MEMORY_IS_TOLD, peakMemory, type ProcessOptions, runProcess } from "./process.ts";
import type { Row } from "./row.ts";

/** Tool rounds of the long run of which the short one is taken away. */
const MANY = 11;

/**
 * A whole `bub run` of two steps, the first with one call of `bash` (`true`). Floor: a bare client
 * that posts, runs `bash -c true` and posts again.
 */
export const oneShot: Row = {
  name: "one-shot",
  what: "one-shot run with one tool call",
  unit: "ms",
  budget: { atMost: 130 },
  warmUps: 2,
  rounds: 21,
  open: (bench) =>
    Promise.resolve(async () => {
      const floor = await timed(bareRun(bench, 1), bench, 2);
      const value = await timed(bench.run({ command: "true", calls: 1 }), bench, 2);
      return { value, floor };
    }),
};

/**
 * One more tool round: a run with 11 less one with 1, divided by 10. Floor: the same of the bare
 * client, whose request does not grow.
 */
export const toolRound: Row = {
  name: "tool-round",
  what: "one more tool round in the same run",
  unit: "ms",
  budget: { atMost: 6 },
  warmUps: 2,
  rounds: 15,
  open: (bench) =>
    Promise.resolve(async () => {
      const more = async (run: (calls: number) => ProcessOptions) => {
        const few = await timed(run(1), bench, 2);
        return (await timed(run(MANY), bench, MANY + 1) - few) / (MANY - 1);
      };
      const floor = await more((calls) => bareRun(bench, calls));
      const value = await more((calls) => bench.run({ command: "true", calls }));
      return { value, floor };
    }),
};

/** The most memory ever resident in a run with one tool call. Floor: `deno run` of an empty file. */
export const memory: Row = {
  name: "memory",
  what: "resident memory, one-shot, peak",
  unit: "MiB",
  budget: { atMost: 95 },
  warmUps: 1,
  rounds: 7,
  open: (bench) =>
    Promise.resolve(
      MEMORY_IS_TOLD
        ? async () => {
          const floor = await peakMemory(bench.bare("empty.ts"));
          const value = await peakMemory(bench.run({ command: "true", calls: 1 }));
          await bench.model.arrivals(2);
          return { value, floor };
        }
        : null,
    ),
};

function bareRun(bench: Bench, rounds: number): ProcessOptions {
  return bench.bare("bare_client.ts", bench.model.base, String(rounds));
}

/** Milliseconds that a process takes which asks the model `requests` times. */
async function timed(process: ProcessOptions, bench: Bench, requests: number): Promise<number> {
  const { wallMs } = await runProcess(process);
  await bench.model.arrivals(requests);
  return wallMs;
}
