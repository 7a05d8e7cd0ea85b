import { timeLimit, within } from "../../lib/cli/deadline.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("within() ends with the work, whether that succeeds or fails, or when the time is up", async () => {
  await within(60_000, Promise.resolve());
  await within(60_000, Promise.reject(new Error("no")));
  await within(1, new Promise(() => {}));
});

Deno.test("L3 timeLimit() aborts with a TimeoutError, and takes limits beyond any timer as none", async () => {
  const signal = timeLimit(0.001);
  assert(signal !== undefined);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  assertEquals(signal.reason.name, "TimeoutError");
  assertEquals(timeLimit(3_000_000), undefined);
  assertEquals(timeLimit(undefined), undefined);
});
