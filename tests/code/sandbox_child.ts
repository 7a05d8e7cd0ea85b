/**
 * A host of its own: runs the code given as its argument, says `called` on a line for each call,
 * which never ends, and then prints what the run came to as JSON. With a second argument the code
 * waits for a line of standard input, while a helper stands ready.
 */
import { Isolates } from "../../lib/code/isolates.ts";
import { toBubError } from "../../lib/errors.ts";

const encoder = new TextEncoder();
const [code = "", ahead] = Deno.args;
const isolates = new Isolates({ memoryBytes: 2 ** 28, outputBytes: 2 ** 16 });
if (ahead !== undefined) {
  isolates.prepare();
  await Deno.stdin.read(new Uint8Array(1));
}
try {
  const { printed, error } = await isolates.run({
    code,
    tools: [],
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    call: async () => {
      await Deno.stdout.write(encoder.encode("called\n"));
      return await new Promise<never>(() => {});
    },
  });
  await say({ printed, error: error?.report() });
} catch (error) {
  await say({ rejected: toBubError(error).report() });
}
await isolates.close();

async function say(outcome: unknown): Promise<void> {
  await Deno.stdout.write(encoder.encode(`${JSON.stringify(outcome)}\n`));
}
