/**
 * Measures the rows of the performance budget, with real processes and a model server on this
 * machine: `deno task bench [--only ROW[,ROW]] [--rounds N] [--json] [--peers]`. The rounds of all
 * rows take turns, so that what else the machine does meets all of them alike. Measures bub from
 * source, or the program that `BUB_BIN` names. A budget that is missed is no failure of the bench.
 */
import { parseArgs } from "@std/cli/parse-args";
import { Bench } from "./bench/bench.ts";
import { scopedOperations } from "./bench/environment.ts";
import { codeRequestSize, requestSize, start } from "./bench/first_request.ts";
import { findPeers } from "./bench/peers.ts";
import { type Measured, type Row, type Sample, summarize } from "./bench/row.ts";
import { runCode, runCodeCalls } from "./bench/run_code.ts";
import { shellMemory, shellOutput } from "./bench/shell_output.ts";
import { subagents } from "./bench/subagents.ts";
import { formatTable } from "./bench/table.ts";
import { tapeAppend, tapeContext } from "./bench/tape.ts";
import { tapeInfo } from "./bench/tape_info.ts";
import { tapeSearch } from "./bench/tape_search.ts";
import { memory, oneShot, toolRound } from "./bench/turn.ts";
import { version } from "./bench/version.ts";
import { say } from "./say.ts";

const ROWS: readonly Row[] = [
  version,
  start,
  oneShot,
  toolRound,
  memory,
  requestSize,
  codeRequestSize,
  tapeAppend,
  tapeContext,
  tapeSearch,
  tapeInfo,
  shellOutput,
  shellMemory,
  subagents,
  runCode,
  runCodeCalls,
  ...scopedOperations,
];

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const unknown: string[] = [];
  const args = parseArgs(Deno.args, {
    string: ["only", "rounds"],
    boolean: ["json", "peers"],
    unknown: (arg) => void unknown.push(arg),
  });
  const rounds = args.rounds === undefined ? undefined : Number(args.rounds);
  const { rows: peers, missing } = args.peers ? findPeers() : { rows: [], missing: [] };
  const all = [...ROWS, ...peers];
  const names = args.only?.split(",");
  const strange = [...unknown, ...names?.filter((name) => !all.some((r) => r.name === name)) ?? []];
  if (strange.length > 0 || (rounds !== undefined && !(rounds >= 1 && rounds % 1 === 0))) {
    say(
      `error: takes [--only ROW[,ROW]] [--rounds N] [--json] [--peers], but got ` +
        `${Deno.args.join(" ")}; the rows are ${all.map(({ name }) => name).join(", ")}`,
    );
    return 2;
  }
  if (missing.length > 0) say(`not on PATH: ${missing.join(", ")}`);
  const rows = all.filter(({ name }) => names === undefined || names.includes(name));
  await using bench = await Bench.open();
  say(`bub is ${bench.program}`);
  const measured = await measure(rows, bench, rounds);
  await print(
    args.json ? `${JSON.stringify({ ...machine(), measured }, null, 2)}\n` : formatTable(measured),
  );
  return 0;
}

/** Takes the samples of all rows, one of each at a time. */
async function measure(
  rows: readonly Row[],
  bench: Bench,
  rounds: number | undefined,
): Promise<Measured[]> {
  const runs: { row: Row; sample: () => Promise<Sample>; left: number; samples: Sample[] }[] = [];
  for (const row of rows) {
    const sample = await row.open(bench);
    if (sample === null) {
      say(`${row.name} cannot be measured on ${Deno.build.os}`);
      continue;
    }
    for (let n = 0; n < row.warmUps; n++) await sample();
    const left = Math.min(rounds ?? row.rounds, row.maxRounds ?? Infinity);
    runs.push({ row, sample, left, samples: [] });
  }
  while (runs.some(({ left }) => left > 0)) {
    for (const run of runs) if (run.left-- > 0) run.samples.push(await run.sample());
  }
  return runs.map(({ row, samples }) => summarize(row, samples));
}

function machine() {
  const { os, arch } = Deno.build;
  const cores = navigator.hardwareConcurrency;
  return { deno: Deno.version.deno, os, arch, cores, load: Deno.loadavg()[0] };
}

async function print(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}
