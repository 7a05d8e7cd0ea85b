import { MEMORY_IS_TOLD, peakMemory, runProcess } from "./process.ts";
import type { Row } from "./row.ts";

const GIBIBYTE = 2 ** 30;
/** 1 GiB in lines of text. */
const FLOOD = `yes 0123456789abcdef | head -c ${GIBIBYTE}`;

/**
 * A whole run with one call of `bash` that prints 1 GiB. Floor: the same command with its output
 * thrown away.
 */
export const shellOutput: Row = {
  name: "shell-output",
  what: "1 GiB of shell output",
  unit: "s",
  budget: { atMost: 3 },
  warmUps: 0,
  rounds: 5,
  maxRounds: 5,
  open: (bench) =>
    Promise.resolve(async () => {
      const bare = bench.other("bash", "-c", `{ ${FLOOD}; } >/dev/null`);
      const { wallMs: floor } = await runProcess(bare);
      const { wallMs: value } = await runProcess(bench.run({ command: FLOOD, calls: 1 }));
      await bench.model.arrivals(2);
      return { value: value / 1000, floor: floor / 1000 };
    }),
};

/**
 * How much more memory was resident at most in a run whose `bash` printed 1 GiB than in one whose
 * `bash` printed nothing. Floor: nothing at all.
 */
export const shellMemory: Row = {
  name: "shell-memory",
  what: "1 GiB of shell output, extra memory",
  unit: "MiB",
  budget: { atMost: 64 },
  warmUps: 0,
  rounds: 3,
  maxRounds: 3,
  open: (bench) => {
    if (!MEMORY_IS_TOLD) return Promise.resolve(null);
    const peak = async (command: string) => {
      const mebibytes = await peakMemory(bench.run({ command, calls: 1 }));
      await bench.model.arrivals(2);
      return mebibytes;
    };
    return Promise.resolve(async () => ({ value: await peak(FLOOD) - await peak("true") }));
  },
};
