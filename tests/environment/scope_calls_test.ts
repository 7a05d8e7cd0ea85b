import { assertEquals, assertMatch, assertRejects } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { resolveBounds } from "../../lib/environment/bounds.ts";
import { ScopeCalls } from "../../lib/environment/scope_calls.ts";
import { temporaryScope } from "./temporary_scope.ts";

const SETUP = { bounds: resolveBounds({ allow: {}, deny: {} }, "/"), proxies: {} };

/** Calls of a Worker that runs this text. */
function callsOf(code: string): ScopeCalls {
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return new ScopeCalls(url, "none", SETUP);
}

Deno.test("E3 a Worker that fails at its start, or later, fails every call, and none hangs", async () => {
  for (
    const code of ["throw new Error('broken')", "onmessage = () => { throw new Error('broken') }"]
  ) {
    using calls = callsOf(code);
    const settled = await Promise.allSettled([
      calls.call("stat", ["/a", "a"]),
      calls.call("exit", [1]),
    ]);
    settled.push(...await Promise.allSettled([calls.call("stat", ["/b", "b"])]));
    for (const outcome of settled) {
      const error = outcome.status === "rejected" ? outcome.reason : undefined;
      assertEquals(error?.kind, "internal");
      assertMatch(error?.message, /^the Worker of the scope failed: .*broken$/);
    }
  }
});

Deno.test("E3 disposal ends calls under way and those to come", async () => {
  const calls = callsOf("onmessage = () => {}");
  const waiting = calls.call("stat", ["/a", "a"]);
  calls[Symbol.dispose]();
  calls[Symbol.dispose]();
  for (const call of [waiting, calls.call("stat", ["/a", "a"])]) {
    const { kind } = await assertRejects(() => call, BubError);
    assertEquals(kind, "interrupted");
  }
});

Deno.test("E3 an environment that was never used is disposed of without a Worker", async () => {
  await using scoped = await temporaryScope({ allow: { read: true }, deny: {} });
  scoped.environment[Symbol.dispose]();
  scoped.environment[Symbol.dispose]();
});

Deno.test("E3 a signal that has aborted already asks nothing", async () => {
  using calls = callsOf("throw new Error('broken')");
  const reason = new BubError("interrupted", "stop");
  const call = calls.call("readFile", ["/a", "a", 1], { signal: AbortSignal.abort(reason) });
  assertEquals(await assertRejects(() => call), reason);
});

Deno.test("B18 E3 what a change throws is its caller's, and others get their turn", async () => {
  await using scoped = await temporaryScope({ allow: { read: ["."], write: ["."] }, deny: {} });
  const { environment, folder } = scoped;
  await Deno.writeTextFile(`${folder}/f`, "old");
  const thrown = new BubError("not_found", "old is not in f", { details: { matches: 0 } });
  const refused = environment.updateFile("f", () => {
    throw thrown;
  });
  const next = environment.updateFile("f", (data) => new Uint8Array([...data, 33]));
  assertEquals(await assertRejects(() => refused), thrown);
  await next;
  assertEquals(await Deno.readTextFile(`${folder}/f`), "old!");
});
