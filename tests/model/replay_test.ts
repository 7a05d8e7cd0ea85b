import { BubError } from "../../lib/errors.ts";
import type { Model, ModelRequest } from "../../lib/model/model.ts";
import { Recorder } from "../../lib/model/record.ts";
import { Replays } from "../../lib/model/replay.ts";
import { withRetry } from "../../lib/model/retry.ts";
import type { EntryDraft, TapeEntry } from "../../lib/tape/entry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import type { Answer } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

/** Entries as they come back from a file. */
async function* loaded(drafts: readonly EntryDraft[]): AsyncGenerator<TapeEntry> {
  for (const [index, { kind, payload, meta = {} }] of drafts.entries()) {
    const line = JSON.stringify({
      id: index + 1,
      kind,
      payload,
      meta,
      date: "2026-01-01T00:00:00Z",
    });
    yield await JSON.parse(line);
  }
}

function replayOf(drafts: readonly EntryDraft[]): Model {
  return new Replays(() => loaded(drafts)).model("run.jsonl");
}

function from(sessionId: string, fields: Partial<ModelRequest> = {}): ModelRequest {
  return requestOf({ sessionId, ...fields });
}

const ANSWERS: readonly Answer[] = [
  {
    reasoning: ["hm", "m"],
    signature: "sig",
    text: "looking 😀",
    calls: [{ name: "bash", arguments: '{"command": "ls' }, { name: "fs_read" }],
  },
  { text: "x".repeat(500), finish: "max_tokens" },
];

Deno.test("M2 what --record wrote is replayed as it was answered, usage and reasoning too", async () => {
  await using server = startFakeAnthropic({ script: ANSWERS });
  const drafts: EntryDraft[] = [];
  const recorder = new Recorder((entries) => Promise.resolve(void drafts.push(...entries)));
  const recorded = recorder.record(modelAt(server.base, "anthropic:claude-sonnet-4-5"));
  const replayed = replayOf(drafts);
  const answers = [await ask(recorded), await ask(recorded)];
  for (const answer of answers) {
    const again = await ask(replayed, from("another session"));
    assertEquals(again.text, answer.text);
    assertEquals(again.reasoningText, answer.reasoningText);
    assertEquals(again.calls, answer.calls);
    assertEquals(again.finish, answer.finish);
  }
  const runs = drafts.map(({ meta }) => meta?.run_id);
  assertEquals(runs, ["0-1", "0-1", "0-2", "0-2"], "an answer and its run event each");
});

Deno.test("M2 the nth request of a session gets its nth answer, sessions by their order", async () => {
  const drafts: EntryDraft[] = [];
  await using server = startFakeOpenAI({
    script: ({ body }) => ({ text: `to ${JSON.stringify(body.messages).match(/<.*?>/)?.[0]}` }),
  });
  const recorder = new Recorder((entries) => Promise.resolve(void drafts.push(...entries)));
  const say = (model: Model, session: string, text: string) =>
    ask(model, from(session, { messages: [{ role: "user", content: `<${text}>` }] }));
  const live = recorder.record(modelAt(server.base));
  await say(live, "parent", "1");
  // Another model of the same run: a subagent with a profile.
  await say(recorder.record(modelAt(server.base, "groq:x")), "child", "2");
  await say(live, "parent", "3");
  await say(live, "child", "4");

  const replay = replayOf(drafts);
  const texts = [];
  for (const session of ["p", "c", "c", "p"]) texts.push((await say(replay, session, "x")).text);
  assertEquals(texts, ["to <1>", "to <2>", "to <4>", "to <3>"]);
});

Deno.test("M2 sessions with a start number do not depend on which asks first", async () => {
  const drafts: EntryDraft[] = [];
  await using server = startFakeOpenAI({ script: [{ text: "b" }, { text: "a" }, { text: "p" }] });
  const recorder = new Recorder((entries) => Promise.resolve(void drafts.push(...entries)));
  const live = recorder.record(modelAt(server.base));
  for (const sessionNumber of [2, 1, 0]) {
    await ask(live, from(`s${sessionNumber}`, { sessionNumber }));
  }
  const replay = replayOf(drafts);
  const texts = [];
  for (const sessionNumber of [0, 1, 2]) {
    texts.push((await ask(replay, from(`t${sessionNumber}`, { sessionNumber }))).text);
  }
  assertEquals(texts, ["p", "a", "b"]);
});

Deno.test("M2 when no answer is left the error names file, session and number", async () => {
  const replay = replayOf([{ kind: "message", payload: { role: "assistant", content: "one" } }]);
  await ask(replay, from("cli:local"));
  const error = await assertRejects(() => ask(withRetry(replay), from("cli:local")), BubError);
  assertEquals(error.kind, "model");
  assertEquals(
    error.message,
    "no answer left in run.jsonl: session 0 (cli:local) asks for its answer 2, and 1 are recorded",
  );
  const other = await assertRejects(() => ask(replay, from("sub-1")), BubError);
  assertStringIncludes(
    other.message,
    "session 1 (sub-1) asks for its answer 1, and 0 are recorded",
  );
});

Deno.test("M2 any tape can be replayed: its answers in order, calls with their text", async () => {
  const run = (run_id: string) => ({ run_id });
  const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
  const call = { id: "call_1", type: "function", function: { name: "bash", arguments: "{}" } };
  const replay = replayOf([
    { kind: "anchor", payload: { name: "session/start" } },
    { kind: "system", payload: { content: "You are helpful." }, meta: run("r1") },
    { kind: "message", payload: { role: "user", content: "list" }, meta: run("r1") },
    { kind: "tool_call", payload: { calls: [call], content: "wait" }, meta: run("r1") },
    { kind: "tool_result", payload: { results: ["a.txt"] }, meta: run("r1") },
    { kind: "event", payload: { name: "run", data: { status: "ok", usage } }, meta: run("r1") },
    { kind: "message", payload: { role: "assistant", content: "two" }, meta: run("r2") },
    { kind: "tool_call", payload: { calls: [call] }, meta: run("r2") },
    { kind: "message", payload: { role: "assistant", content: [{ type: "text", text: "end" }] } },
  ]);
  const first = await ask(replay);
  assertEquals([first.text, first.calls.length, first.finish.reason], ["wait", 1, "tool_calls"]);
  assertEquals(first.finish.usage, { ...usage, prompt_tokens_details: { cached_tokens: 0 } });
  const second = await ask(replay);
  assertEquals([second.text, second.calls.length], ["two", 1]);
  const third = await ask(replay);
  assertEquals([third.text, third.finish.reason], ["end", "stop"]);
  assertEquals(third.finish.usage?.estimated, true);
});

Deno.test("M2 a tape of Python Bub can be replayed", async () => {
  const file = "tests/fixtures/python_bub/0123456789abcdef__fedcba9876543210.jsonl";
  const lines = (await Deno.readTextFile(new URL(`../../${file}`, import.meta.url))).split("\n");
  const entries: EntryDraft[] = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  const replay = replayOf(entries);
  assertEquals((await ask(replay)).calls.map(({ function: { name } }) => name), [
    "bash",
    "fs_read",
  ]);
  assertStringIncludes((await ask(replay)).text, "Größe 2 ✓");
});

Deno.test("M2 an answer is recorded before it is whole for the caller, a failed one never", async () => {
  await using server = startFakeOpenAI({
    script: [
      { status: 400, body: { error: { message: "no" } } },
      { text: "ha", end: "cut" },
      { text: "half", error: { message: "overloaded", code: 502 } },
      { text: "whole" },
    ],
  });
  const drafts: EntryDraft[] = [];
  const recorder = new Recorder((entries) => Promise.resolve(void drafts.push(...entries)));
  const model = recorder.record(withRetry(modelAt(server.base), { baseMs: 1 }));
  await assertRejects(() => ask(model), BubError);
  for await (const event of model.stream(requestOf(), new AbortController().signal)) {
    if (event.type === "finish") assertEquals(drafts.length, 2);
  }
  const { text } = await ask(replayOf(drafts));
  assertEquals(text, "whole");
});

Deno.test("M2 a long answer is replayed in pieces, and interruption ends it", async () => {
  const content = "😀".repeat(100);
  const drafts: EntryDraft[] = [{ kind: "message", payload: { role: "assistant", content } }];
  const { events, text } = await ask(replayOf(drafts));
  assertEquals(text, content);
  assert(events.length > 3);
  const { kind } = await assertRejects(
    () => ask(replayOf(drafts), requestOf(), AbortSignal.abort()),
    BubError,
  );
  assertEquals(kind, "interrupted");
});
