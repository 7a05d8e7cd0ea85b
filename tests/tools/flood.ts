/**
 * A program for `bash_test.ts`: has the tool print so many MiB, reads them as a text command does,
 * and says how much memory that took beyond what a command that prints nothing takes.
 */
import { z } from "zod";
import { StreamedOutput } from "../../lib/tool/output.ts";
import type { ToolContext } from "../../lib/tool/tool.ts";
import { bashTools } from "../../tools/bash.ts";
import { TemporaryShells } from "../environment/temporary_shells.ts";

/** Most memory this process ever had resident, in KiB. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]);
}

await using session = await TemporaryShells.create();
const signal = new AbortController().signal;
const context = { shells: session.shells, caller: "command", signal } as unknown as ToolContext;
const bash = bashTools[0]!;
const run = (command: string) => bash.run(bash.parameters(z).parse({ command }), context);

await run("true");
const before = peak();
const started = performance.now();
const output = await run(`head -c ${Deno.args[0]}M /dev/zero | tr '\\0' x`);
const ran = performance.now();
const ranMiB = (peak() - before) / 1024;
let characters = 0;
if (output instanceof StreamedOutput) {
  for await (const piece of output.chunks()) characters += piece.length;
}
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({
  characters,
  ranMiB,
  extraMiB: (peak() - before) / 1024,
  runMs: Math.round(ran - started),
  readMs: Math.round(performance.now() - ran),
})));
