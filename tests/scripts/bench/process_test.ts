import {
  MEMORY_IS_TOLD,
  now,
  peakMemory,
  type ProcessOptions,
  runProcess,
} from "../../../scripts/bench/process.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";

function deno(code: string): ProcessOptions {
  const args = ["eval", "--no-config", "--no-lock", code];
  return { program: Deno.execPath(), args, cwd: Deno.cwd(), env: Deno.env.toObject() };
}

Deno.test("runProcess() returns what a process printed and how long it took", async () => {
  const before = now();
  const code = "await new Promise((r) => setTimeout(r, 50)); console.log('here')";
  const { stdout, wallMs, startedAt } = await runProcess(deno(code));
  assertEquals(stdout, "here\n");
  assert(wallMs >= 50 && wallMs <= now() - before, `${wallMs} ms`);
  assert(startedAt >= before && startedAt < before + 1000);
});

Deno.test("runProcess() fails with what a failed process said", async () => {
  const failing = deno("console.error('out of luck'); Deno.exit(3)");
  const { message } = await assertRejects(() => runProcess(failing), Error);
  assert(message.includes("ended with 3") && message.includes("out of luck"), message);
});

Deno.test("now() is the same clock in another process", async () => {
  const before = now();
  const code = "console.log(performance.timeOrigin + performance.now())";
  const there = Number((await runProcess(deno(code))).stdout);
  // A clock that is set by and by may drift between the two readings of its origin.
  assert(there > before - 5 && there < now() + 5, `${before} ${there} ${now()}`);
});

Deno.test("peakMemory() sees what a process held for a moment", {
  ignore: !MEMORY_IS_TOLD,
}, async () => {
  const idle = await peakMemory(deno(""));
  const code = "let big = new Uint8Array(200 * 2 ** 20).fill(1); big = null; " +
    "await new Promise((r) => setTimeout(r, 50))";
  const peak = await peakMemory(deno(code));
  assert(idle > 10 && idle < 100, `${idle} MiB`);
  assert(peak - idle > 190 && peak - idle < 260, `${peak - idle} MiB`);
});
