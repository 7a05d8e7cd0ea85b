import type { Arrival } from "./model_server.ts";
import { type ProcessOptions, runProcess } from "./process.ts";
import type { Bench } from "./bench.ts";
import type { Row } from "./row.ts";

/**
 * From just before the start of `bub run` to the arrival of the model request's last byte, told by
 * the server's clock. Floor: `deno run` of a file that only posts one request.
 */
export const start: Row = {
  name: "start",
  what: "start to the model request's arrival",
  unit: "ms",
  budget: { atMost: 80 },
  warmUps: 2,
  rounds: 21,
  open: (bench) =>
    Promise.resolve(async () => {
      const floor = await firstRequest(bench.bare("bare_client.ts", bench.model.base, "0"), bench);
      const value = await firstRequest(bench.run({ command: "true", calls: 0 }), bench);
      return { value: value.afterMs, floor: floor.afterMs };
    }),
};

/** Bytes of the body of the first request: system prompt, a short message, all built-in tools. */
export const requestSize: Row = sizeRow({
  name: "request",
  what: "first request body, all built-in tools",
  atMost: 9_000,
  flags: [],
});

/** The same in code mode, where the prompt declares the tools. */
export const codeRequestSize: Row = sizeRow({
  name: "code-request",
  what: "the same in code mode",
  atMost: 12_000,
  flags: ["--code-mode"],
});

function sizeRow(
  { name, what, atMost, flags }: {
    readonly name: string;
    readonly what: string;
    readonly atMost: number;
    /** Further flags of `bub run`. */
    readonly flags: readonly string[];
  },
): Row {
  return {
    name,
    what,
    unit: "bytes",
    budget: { atMost },
    warmUps: 0,
    rounds: 1,
    maxRounds: 1,
    open: (bench) =>
      Promise.resolve(async () => {
        const plain = bench.run({ command: "true", calls: 0 });
        const { size } = await firstRequest({ ...plain, args: [...plain.args, ...flags] }, bench);
        return { value: size };
      }),
  };
}

/** Runs a process that asks the model once. */
async function firstRequest(
  process: ProcessOptions,
  { model }: Bench,
): Promise<Arrival & { readonly afterMs: number }> {
  const { startedAt } = await runProcess(process);
  const [arrival] = await model.arrivals(1);
  if (arrival === undefined) throw new Error("the model was not asked");
  return { ...arrival, afterMs: arrival.at - startedAt };
}
