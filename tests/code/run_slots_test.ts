import { RunSlots } from "../../lib/code/run_slots.ts";
import { assert, assertEquals } from "../assert.ts";

const never = new AbortController().signal;

Deno.test("C3 runs over the number of slots wait, in the order they came", async () => {
  const slots = new RunSlots(2);
  const first = await slots.take(never);
  await slots.take(never);
  const came: string[] = [];
  const third = slots.take(never).then((slot) => (came.push("third"), slot));
  const fourth = slots.take(never).then((slot) => (came.push("fourth"), slot));
  assertEquals(came, []);
  first?.[Symbol.dispose]();
  (await third)?.[Symbol.dispose]();
  assert(await fourth);
  assertEquals(came, ["third", "fourth"]);
});

Deno.test("C3 a run that is interrupted while it waits leaves its place to the next", async () => {
  const slots = new RunSlots(1);
  const first = await slots.take(never);
  const abort = new AbortController();
  const second = slots.take(abort.signal);
  const third = slots.take(never);
  abort.abort();
  assertEquals(await second, undefined);
  first?.[Symbol.dispose]();
  assert(await third);
  assertEquals(await slots.take(AbortSignal.abort()), undefined);
});

Deno.test("C3 a slot given to a run in the moment it is interrupted goes on to the next", async () => {
  const slots = new RunSlots(1);
  const first = await slots.take(never);
  const abort = new AbortController();
  const second = slots.take(abort.signal);
  const third = slots.take(never);
  first?.[Symbol.dispose]();
  abort.abort();
  assertEquals(await second, undefined);
  assert(await third);
});
