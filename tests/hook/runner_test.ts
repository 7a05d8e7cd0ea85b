import type { Hooks } from "../../lib/hook/hooks.ts";
import { HookRunner } from "../../lib/hook/runner.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { TemporaryAgent } from "../kernel/temporary_agent.ts";

Deno.test("H2 provideSidecar must return names; anything else has its own sentence", async () => {
  for (const [returned, shown] of [[7, "7"], [{ a: 1 }, "{ a: 1 }"], [["a", 1], '[ "a", 1 ]']]) {
    const told: string[] = [];
    const hooks: Hooks = { provideSidecar: () => returned as never };
    const runner = new HookRunner([{ name: "p", hooks }], (message) => void told.push(message));
    assertEquals(await runner.provideSidecars(), []);
    assertEquals(told, [
      "the hook provideSidecar of p failed and was skipped: " +
      `expected the name of a sidecar or a list of names, got ${shown}`,
    ]);
  }
});

Deno.test("L2 H2 saveState and onError hold up a run that ran out of time for a second each at most", async () => {
  const hang = () => new Promise<undefined>(() => {});
  await using app = await TemporaryAgent.open([{ text: "never" }], {}, {
    plugins: [{ name: "p", hooks: { buildPrompt: hang, saveState: hang, onError: hang } }],
  });
  const started = performance.now();
  const { status } = await app.run("go", { signal: AbortSignal.timeout(100) });
  const elapsed = performance.now() - started;
  assertEquals(status, "timeout");
  assert(elapsed > 2_000 && elapsed < 6_000, `${elapsed} ms`);
  const warnings = app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
  assertStringIncludes(
    [...warnings, ...app.warnings].join("\n"),
    "the hook saveState of p failed and was skipped: time limit reached",
  );
});

Deno.test("H2 a denial of a model call whose message is no text denies all the same", async () => {
  const hooks: Hooks = {
    beforeModelCall: () => ({ action: "deny", message: { de: "nein" } }) as never,
  };
  await using app = await TemporaryAgent.open([{ text: "never" }], {}, {
    plugins: [{ name: "p", hooks }],
  });
  const { error } = await app.run("go");
  assertEquals(error, {
    kind: "permission",
    message: "a hook denied it, without a text that says why",
  });
});
