import type { TurnResult } from "../../lib/event.ts";
import type { Bench } from "./bench.ts";
import type { Job } from "./model_server.ts";
import { runProcess } from "./process.ts";
import type { Row } from "./row.ts";

const SUBAGENTS = 100;

/**
 * A run that starts 100 subagents of one step each, 8 at a time, less one that starts none, divided
 * by 100: what each of them costs, the model's answer and the reading of its result included.
 */
export const subagents: Row = {
  name: "subagents",
  what: "100 subagents, own cost each",
  unit: "ms",
  budget: { atMost: 10 },
  warmUps: 1,
  rounds: 7,
  open: (bench) =>
    Promise.resolve(async () => {
      const none = await timed(bench, 0);
      return { value: (await timed(bench, SUBAGENTS) - none) / SUBAGENTS };
    }),
};

/** Milliseconds of a run with so many subagents. */
async function timed(bench: Bench, count: number): Promise<number> {
  const job: Job = { command: "true", calls: 0, subagents: count };
  const { wallMs, stdout } = await runProcess(bench.runJson(job));
  const { steps, tasks }: TurnResult = JSON.parse(stdout);
  if (tasks.length !== count || tasks.some(({ status }) => status !== "completed")) {
    throw new Error(`${count} subagents were to be completed, got ${stdout}`);
  }
  await bench.model.arrivals(tasks.reduce((sum, task) => sum + task.steps, steps));
  return wallMs;
}
