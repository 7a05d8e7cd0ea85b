import { Calls } from "../../../lib/code/guest/calls.mts";
import { MAX_HELD_UNITS, MAX_VALUE_UNITS } from "../../../lib/code/protocol.ts";
import { MAX_CALLS } from "../../../lib/code/sandbox.ts";
import { assertEquals, assertRejects } from "../../assert.ts";

/** Calls, and the numbers of those that were sent to the host. */
function sentCalls() {
  const sent: number[] = [];
  const calls = new Calls((line) => sent.push(JSON.parse(line)[1]));
  return { calls, sent };
}

Deno.test("C2 calls over the bound wait in order, and each answer lets the next one go", async () => {
  const { calls, sent } = sentCalls();
  const made = Array.from({ length: MAX_CALLS + 2 }, (_, n) => calls.make("a", String(n)));
  assertEquals(sent.length, MAX_CALLS);
  assertEquals([calls.made, calls.pending], [MAX_CALLS + 2, MAX_CALLS + 2]);
  calls.answer(5, "five");
  assertEquals(sent.at(-1), MAX_CALLS + 1);
  assertEquals(await made[4], "five");
  calls.answer(5, "again");
  calls.answer(999, "never made");
  assertEquals([sent.length, calls.pending], [MAX_CALLS + 1, MAX_CALLS + 1]);
});

Deno.test("C3 what the calls under way were given is bounded together", () => {
  const { calls, sent } = sentCalls();
  const args = "1".repeat(MAX_HELD_UNITS / 4 + 1);
  for (let n = 0; n < 5; n++) calls.make("a", args);
  calls.make("small", "{}");
  assertEquals(sent, [1, 2, 3]);
  calls.answer(2, null);
  assertEquals(sent, [1, 2, 3, 4]);
  calls.answer(1, null);
  calls.answer(3, null);
  assertEquals(sent, [1, 2, 3, 4, 5, 6]);
});

Deno.test("C3 a call that is given too much is refused, and not made", async () => {
  const { calls, sent } = sentCalls();
  await assertRejects(() => calls.make("a", "1".repeat(MAX_VALUE_UNITS + 1)), Error, "too long");
  assertEquals([sent, calls.made], [[], 0]);
});

Deno.test("C3 calls without an answer are named with their number", () => {
  const { calls } = sentCalls();
  for (const name of ["bash", "fs_read", "bash"]) calls.make(name, "{}");
  assertEquals(calls.pendingNames(), "bash (2), fs_read");
  calls.answer(1, null);
  assertEquals(calls.pendingNames(), "fs_read, bash");
});
