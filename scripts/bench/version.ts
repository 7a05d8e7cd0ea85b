import { runProcess } from "./process.ts";
import type { Row } from "./row.ts";

/**
 * The whole process of `bub --version`, from just before its start to its end. Floor: `deno run` of
 * an empty file.
 */
export const version: Row = {
  name: "version",
  what: "--version, whole process",
  unit: "ms",
  budget: { timesFloor: 1.5 },
  warmUps: 2,
  rounds: 21,
  open: (bench) =>
    Promise.resolve(async () => {
      const { wallMs: floor } = await runProcess(bench.bare("empty.ts"));
      const { wallMs: value } = await runProcess(bench.bub("--version"));
      return { value, floor };
    }),
};
