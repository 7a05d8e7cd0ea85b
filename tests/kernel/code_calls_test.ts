import { BubError } from "../../lib/errors.ts";
import type { BubEvent } from "../../lib/event.ts";
import { isJsonObject } from "../../lib/json.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import type { EntryDraft } from "../../lib/tape/entry.ts";
import type { InterceptedCall, ToolHooks } from "../../lib/tool/hooks.ts";
import type { ToolResult } from "../../lib/tool/result.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { code, CODE_MODE, recordedCalls, runCodes } from "./code_script.ts";
import { messages } from "./subagent_script.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

const NEVER = new AbortController().signal;

Deno.test("C4 inner calls are events of the tape, before their step's entries, outside the context", async () => {
  const run = await runCodes([
    'await tools.bash("echo hi"); await tools.fs_read({ path: "nope" }).catch(() => {}); print(1)',
  ]);
  await using app = run.app;
  const [first, second, ...others] = await recordedCalls(app);
  assertEquals(others, []);
  const { elapsed_ms, ...facts } = first ?? {};
  assert(typeof elapsed_ms === "number");
  assertEquals(facts, {
    run_call_id: "call_1",
    call_id: "call_1/1",
    name: "bash",
    status: "ok",
    arguments: '"echo hi"',
    output: "hi\n",
  });
  assertEquals([second?.call_id, second?.status], ["call_1/2", "error"]);
  assertEquals(JSON.parse(String(second?.output)).kind, "not_found");
  const order = outline(await app.tape());
  const calls = order.filter((line) => line === "event:code.call" || line.startsWith("tool_"));
  assertEquals(calls, ["event:code.call", "event:code.call", "tool_call", "tool_result"]);
  await app.run("next");
  const roles = messages(app.server.requests[2]?.body ?? {}).map(({ role }) => role);
  assertEquals(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
});

Deno.test("C4 of long arguments and outputs the tape has head and tail", async () => {
  const run = await runCodes([
    `await tools.fs_write({ path: "a", content: "x".repeat(1e5) + "end" });
     print((await tools.fs_read("a")).length);`,
  ]);
  await using app = run.app;
  assertEquals(run.results, ["100003\n"]);
  const [write, read] = await recordedCalls(app);
  for (const text of [write?.arguments, read?.output]) {
    assert(typeof text === "string" && text.length <= 4096, "at most 4 KiB");
    assertMatch(text, /^.+\n\[… the middle is left out …\]\nx+end/);
  }
});

Deno.test("C4 watchers are shown head and tail of long arguments, and the short ones whole", async () => {
  const run = await runCodes([
    `const content = "x".repeat(1e6) + "end";
     await tools.fs_write({ path: "a", content });
     await tools.fs_read(content).catch(() => {});
     await tools.subagent_wait({ task_ids: Array(5000).fill("sub-1") }).catch(() => {});`,
  ]);
  await using app = run.app;
  const starts = app.events.flatMap((event) =>
    event.type === "tool.start" && event.parent_call_id !== undefined ? [event.arguments] : []
  );
  const cut = /^x+\n\[… the middle is left out …\]\nx+end$/;
  const [write, read, wait] = starts;
  assert(isJsonObject(write ?? null));
  const { path, content } = write as { path: string; content: string };
  assertEquals(path, "a");
  assertMatch(content, cut);
  assertMatch(String(read), cut);
  assertMatch(String(wait), /^\{"task_ids":\["sub-1",.*\n\[… the middle is left out …\]\n.*\]\}$/);
  assert(JSON.stringify(starts).length < 10_000);
});

Deno.test("C4 TP7 what code finds on the tape is not found again, its other calls are", async () => {
  const search = 'print(await tools.tape_search({ query: "needle", kinds: ["event"] }))';
  const run = await runCodes([
    `await tools.bash("echo needle"); await tools.bash("true"); ${search}`,
  ]);
  await using app = run.app;
  const found = JSON.parse((await app.run(",tape.search needle kinds='[\"event\"]'")).output);
  const names = found.matches.map(({ payload }: { payload: { data?: { name?: string } } }) =>
    payload.data?.name
  );
  assertEquals(names, ["bash"]);
});

Deno.test("C4 T8 hooks see inner calls, change and deny them, and replace their results", async () => {
  const seen: string[] = [];
  const hooks: ToolHooks = {
    beforeToolCall({ tool, args, context }: InterceptedCall) {
      if (context.caller !== "code") return;
      seen.push(`${context.callId} ${tool.name} ${JSON.stringify(args)}`);
      if (tool.name === "fs.write") return { action: "deny", message: "no writing" };
      if (args.command === "one") return { action: "proceed", args: { command: "echo two" } };
      if (args.command === "three") return { action: "replace", result: { three: 3 } };
    },
    afterToolCall({ tool }: InterceptedCall, result: ToolResult) {
      if (tool.name === "tape.anchors") return { action: "replace", result: "hidden" };
      if (tool.name === "run_code") {
        return { action: "replace", result: `${result.text}seen by the hook` };
      }
    },
  };
  const run = await runCodes([
    `print(await tools.bash("one"), await tools.bash({ command: "three" }));
     try { await tools.fs_write({ path: "a", content: "" }) } catch (e) { print(e.kind, e.message) }
     print(await tools.tape_anchors());`,
  ], { plugins: [{ name: "guard", hooks }] });
  await using app = run.app;
  assertEquals(run.results, [
    'two\n {"three": 3}\npermission no writing\nhidden\nseen by the hook',
  ]);
  assertEquals(seen.slice(0, 3), [
    'call_1/1 bash {"command":"one"}',
    'call_1/2 bash {"command":"three"}',
    'call_1/3 fs.write {"path":"a","content":""}',
  ]);
  const outputs = (await recordedCalls(app)).map(({ output }) => output);
  assertEquals([outputs[0], outputs[3]], ["two\n", "hidden"], "as hooks left them");
});

Deno.test("C4 L2 inner calls are events with the call of run_code as parent, between its own", async () => {
  const run = await runCodes([
    'await tools.bash("seq 1 5000"); await tools.no_such(5).catch(() => {})',
  ]);
  await using app = run.app;
  type CallEvent = Extract<BubEvent, { type: "tool.start" | "tool.end" }>;
  const events = app.events.filter((event): event is CallEvent => event.type.startsWith("tool."));
  assertEquals(
    events.map(({ type, call_id, parent_call_id, name }) => [type, call_id, parent_call_id, name]),
    [
      ["tool.start", "call_1", undefined, "run_code"],
      ["tool.start", "call_1/1", "call_1", "bash"],
      ["tool.end", "call_1/1", "call_1", "bash"],
      ["tool.start", "call_1/2", "call_1", "no_such"],
      ["tool.end", "call_1/2", "call_1", "no_such"],
      ["tool.end", "call_1", undefined, "run_code"],
    ],
  );
  assertEquals(events[3]?.type === "tool.start" && events[3].arguments, 5);
  const [, , end] = events;
  assert(end?.type === "tool.end" && end.output.length <= 4096, "head and tail");
});

Deno.test("C4 a call that cannot be recorded fails in the code", async () => {
  class NarrowStore extends MemoryTapeStore {
    override append(tape: string, drafts: readonly EntryDraft[]) {
      if (drafts.some(({ payload }) => payload.name === "code.call")) {
        return Promise.reject(new BubError("storage", "no space left"));
      }
      return super.append(tape, drafts);
    }
  }
  const hooks = { provideTapeStore: () => new NarrowStore() };
  const run = await runCodes(
    ['try { await tools.bash("true") } catch (e) { print(e.kind, e.message) }'],
    { plugins: [{ name: "full", hooks }] },
  );
  await using _app = run.app;
  assertEquals(run.results, ["storage no space left\n"]);
});

Deno.test("C4 TP9 an anchor that code sets comes before its step", async () => {
  const run = await runCodes([`print(await tools.tape_handoff({ summary: "so far" }))`]);
  await using app = run.app;
  assertEquals(run.results, ["anchor added: handoff\n"]);
  const order = outline(await app.tape());
  assert(order.indexOf("anchor:handoff") < order.indexOf("tool_call"));
});

Deno.test("C2 P1 shells that code starts in the background are the session's", async () => {
  const start =
    'print((await tools.bash({ command: "echo up; sleep 300", background: true })).shell_id)';
  await using app = await TemporaryAgent.open(
    [{ calls: [code(start)] }, { text: "ok" }],
    {},
    CODE_MODE,
  );
  await app.run("go");
  const [id] = (await recordedCalls(app)).map(({ output }) => JSON.parse(String(output)).shell_id);
  const { output } = await app.session().run(`,bash.output ${id}`, { signal: NEVER });
  assertStringIncludes(output, '"status": "running"');
});
