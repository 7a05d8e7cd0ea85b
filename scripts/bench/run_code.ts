import { Isolates } from "../../lib/code/isolates.ts";
import type { SandboxOutcome } from "../../lib/code/sandbox.ts";
import type { Bench } from "./bench.ts";
import type { Row } from "./row.ts";

/** Calls of one sample. */
const CALLS = 3_000;

/** Milliseconds that a helper has to get ready before it is measured: five times what it takes. */
const WARM_UP_MS = 250;

/** Code that prints one word, from asking for it to its outcome, in a helper that stands ready. */
export const runCode: Row = {
  name: "run-code",
  what: "run_code, warm",
  unit: "ms",
  budget: { atMost: 8 },
  warmUps: 1,
  rounds: 15,
  open: (bench) => {
    const isolates = openIsolates(bench);
    return Promise.resolve(async () => {
      await warmUp(isolates);
      const start = performance.now();
      await run(isolates, "print('done')");
      return { value: performance.now() - start };
    });
  },
};

/** Calls that code makes one after the other, in a second; the host answers each at once. */
export const runCodeCalls: Row = {
  name: "run-code-calls",
  what: "calls inside run_code, one after another, answered at once",
  unit: "/s",
  budget: { atLeast: 3_000 },
  warmUps: 1,
  rounds: 5,
  open: (bench) => {
    const isolates = openIsolates(bench);
    const code = `
      const start = performance.now();
      for (let n = 0; n < ${CALLS}; n++) await tools.echo({ path: "README.md", offset: n });
      print(performance.now() - start);`;
    return Promise.resolve(async () => {
      await warmUp(isolates);
      const { printed } = await run(isolates, code);
      return { value: CALLS / Number(printed) * 1000 };
    });
  },
};

function openIsolates(bench: Bench): Isolates {
  const limits = { memoryBytes: 256 * 2 ** 20, outputBytes: 2 ** 20 };
  return bench.resources.adopt(new Isolates(limits), (isolates) => isolates.close());
}

async function warmUp(isolates: Isolates): Promise<void> {
  isolates.prepare();
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
}

async function run(isolates: Isolates, code: string): Promise<SandboxOutcome> {
  const outcome = await isolates.run({
    code,
    tools: ["echo"],
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    call: ({ args }) => Promise.resolve(args),
  });
  if (outcome.error !== null) throw outcome.error;
  return outcome;
}
