import { LazySandbox } from "../../lib/code/lazy_sandbox.ts";
import type { CodeSandbox, SandboxRun } from "../../lib/code/sandbox.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const RUN: SandboxRun = {
  code: "",
  tools: [],
  timeoutMs: 1,
  signal: new AbortController().signal,
  call: () => Promise.resolve(null),
};

/** Says what it is asked to do. */
function told(said: string[]): CodeSandbox {
  return {
    prepare: () => void said.push("prepare"),
    run: () => Promise.resolve({ printed: "", notes: [], returned: false, error: null }),
    close: () => Promise.resolve(void said.push("close")),
  };
}

Deno.test("C2 a sandbox is loaded with its first use and not before, once, and closed if it was", async () => {
  const said: string[] = [];
  const load = () => {
    said.push("load");
    return Promise.resolve(told(said));
  };
  await new LazySandbox(load).close();
  assertEquals(said, []);
  const sandbox = new LazySandbox(load);
  sandbox.prepare();
  await sandbox.run(RUN);
  await sandbox.close();
  assertEquals(said, ["load", "prepare", "close"]);
  sandbox.prepare();
  assertEquals((await assertRejects(() => sandbox.run(RUN), BubError)).kind, "interrupted");
  assertEquals(said.length, 3);
});

Deno.test("C2 a sandbox that cannot be loaded says so to who needs it, and to nobody else", async () => {
  const sandbox = new LazySandbox(() => Promise.reject(new BubError("tool", "not there")));
  sandbox.prepare();
  await assertRejects(() => sandbox.run(RUN), BubError, "not there");
  await sandbox.close();
});
