import { pour } from "../../../lib/cli/tape/pour.ts";
import { assert, assertEquals } from "../../assert.ts";

/** A thousand pieces of 1,000 characters, which count how many were asked for. */
function source() {
  const state = { taken: 0 };
  const pieces = async function* () {
    for (let n = 0; n < 1000; n++) {
      state.taken++;
      yield `${n}`.padEnd(1000, ".");
    }
  };
  return { state, pieces };
}

Deno.test("B70 pour() hands everything on in order, in few writes, one at a time", async () => {
  const { pieces } = source();
  const written: string[] = [];
  let open = 0;
  await pour(pieces(), async (text) => {
    assertEquals(++open, 1);
    await Promise.resolve();
    written.push(text);
    open--;
  }, new AbortController().signal);
  assertEquals(written.join("").length, 1_000_000);
  assert(written.join("").endsWith("999".padEnd(1000, ".")));
  assert(written.length < 20, `${written.length} writes`);
});

Deno.test("B70 pour() takes nothing more once nobody reads", async () => {
  const { state, pieces } = source();
  const gone = new AbortController();
  let writes = 0;
  await pour(pieces(), () => {
    writes++;
    gone.abort();
    return Promise.resolve();
  }, gone.signal);
  assertEquals(writes, 1);
  assert(state.taken < 100, `${state.taken} taken`);
});
