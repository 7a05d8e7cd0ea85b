import { assert, assertEquals } from "../assert.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { ChatMessage } from "../../lib/model/model.ts";
import {
  anchorEntry,
  type EntryDraft,
  errorEntry,
  eventEntry,
  messageEntry,
  systemEntry,
  type ToolCall,
  toolCallEntry,
  toolResultEntry,
} from "../../lib/tape/entry.ts";
import { numberDrafts } from "../../lib/tape/line.ts";
import { selectMessages } from "../../lib/tape/select.ts";

const select = (...drafts: EntryDraft[]) => selectMessages(numberDrafts(drafts, 1));
const user = (content: JsonValue, meta: JsonObject = {}) =>
  messageEntry({ role: "user", content }, meta);
const assistant = (content: JsonValue, more: JsonObject = {}) =>
  messageEntry({ role: "assistant", content, ...more });
const call = (id: string, args = "{}", name = "fs_read"): ToolCall => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

Deno.test("TP5 selectMessages() shows messages and anchors, and nothing of other kinds", () => {
  const messages = select(
    anchorEntry("session/start", { owner: "human" }),
    systemEntry("Be brief."),
    eventEntry("loop.step.start", { step: 1 }),
    user("hello"),
    assistant("hi"),
    errorEntry({ kind: "server", message: "overloaded" }),
    anchorEntry("bare"),
    messageEntry({ role: "system", content: "no" }),
    messageEntry({ role: "tool", content: "no" }),
  );
  assertEquals(messages, [
    { role: "assistant", content: '[Anchor created: session/start]: {"owner":"human"}' },
    { role: "user", content: "hello" },
    { role: "assistant", content: "hi" },
    { role: "assistant", content: "[Anchor created: bare]: {}" },
  ]);
});

Deno.test("TP5 selectMessages() leaves out entries whose meta says so", () => {
  const hidden = { context: false };
  const messages = select(
    user("seen", { context: true }),
    user("hidden", hidden),
    toolCallEntry([call("a")], hidden),
    toolResultEntry(["text"], hidden),
    anchorEntry("hidden", {}, hidden),
  );
  assertEquals(messages, [{ role: "user", content: "seen" }]);
});

Deno.test("T5 TP2 results follow their calls in call order, each in the form T5 gives it", () => {
  const report = { kind: "tool", message: "no", details: { output: "x" } };
  const calls = ["a", "b", "c", "d", "e", "f"].map((id) => call(id));
  const reasoning = [{ text: "think", metadata: { signature: "s" } }];
  const [said, ...results] = select(
    toolCallEntry(calls, {}, { content: "Let me see.", reasoning }),
    toolResultEntry(["text", "", { n: [1, null] }, report, null, "\n "], { errors: [3] }),
  );
  assertEquals(said, { role: "assistant", content: "Let me see.", reasoning, tool_calls: calls });
  assertEquals(results.map(shown), [
    ["a", "text", undefined],
    ["b", "(empty)", undefined],
    ["c", '{"n":[1,null]}', undefined],
    ["d", JSON.stringify(report), true],
    ["e", "null", undefined],
    ["f", "(empty)", undefined],
  ]);
  assert(results.every((message) => message.role === "tool" && message.name === "fs_read"));
});

Deno.test("T5 an object that only looks like an error is none", () => {
  const report = { kind: "tool", message: "m" };
  const [, result] = select(toolCallEntry([call("a")]), toolResultEntry([report], { errors: [] }));
  assertEquals(result && shown(result), ["a", JSON.stringify(report), undefined]);
});

Deno.test("F2 a result marked as content parts is passed on as parts, an unmarked list as JSON", () => {
  const parts = [
    { type: "text", text: "a.png" },
    { type: "media", mediaType: "image/png", data: "AA==" },
  ] as const;
  const messages = select(
    toolCallEntry([call("a"), call("b")]),
    toolResultEntry([parts, parts], { parts: [0] }),
  );
  const [media, json] = messages.slice(1).map(({ content }) => content);
  assertEquals(media, [...parts]);
  assertEquals(json, JSON.stringify(parts));
});

Deno.test("TP5 B23 calls without a result get one that says so, right behind them", () => {
  const messages = select(
    user("go"),
    toolCallEntry([call("a"), call("b")], { run_id: "r1" }),
    user("still there?"),
    toolCallEntry([call("c"), call("d")], { run_id: "r2" }),
    toolResultEntry(["done"], { run_id: "r2" }),
    assistant("bye"),
  );
  assertEquals(messages.map(({ role }) => role), [
    ...["user", "assistant", "tool", "tool", "user"],
    ...["assistant", "tool", "tool", "assistant"],
  ]);
  const results = messages.filter(({ role }) => role === "tool").map(shown);
  assertEquals(results.map(([id, , isError]) => [id, isError]), [
    ["a", true],
    ["b", true],
    ["c", undefined],
    ["d", true],
  ]);
  for (const index of [0, 1, 3]) assert(`${results[index]?.[1]}`.includes("interrupted"));
});

Deno.test("TP5 B23 results without their calls are left out", () => {
  const messages = select(
    toolResultEntry(["orphan of a cut history"]),
    toolCallEntry([call("a")], { run_id: "r1" }),
    toolResultEntry(["of another run"], { run_id: "r0" }),
    toolResultEntry(["own", "one too many"], { run_id: "r1" }),
    toolResultEntry(["again"], { run_id: "r1" }),
  );
  assertEquals(messages.slice(1).map(shown), [["a", "own", undefined]]);
});

Deno.test("TP4 B23 what was recorded between calls and results does not part them", () => {
  const messages = select(
    toolCallEntry([call("a")]),
    anchorEntry("between"),
    user("steering"),
    toolResultEntry(["done"]),
  );
  assertEquals(messages.map(({ role }) => role), ["assistant", "tool", "assistant", "user"]);
});

Deno.test("B26 call ids are unique in a request, stable, and paired by position", () => {
  const step = (...ids: string[]) => [
    toolCallEntry(ids.map((id) => call(id))),
    toolResultEntry(ids.map((_, index) => `result ${index}`)),
  ];
  const drafts = [
    ...step("call_0"),
    ...step("call_0", "call_0", ""),
    ...step("call_0_2", "call_0", ""),
  ];
  const messages = select(...drafts);
  const asked = messages.flatMap((message) =>
    message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : []
  );
  const answered = messages.flatMap((message) =>
    message.role === "tool" ? [message.tool_call_id] : []
  );
  assertEquals(answered, asked);
  assertEquals(new Set(asked).size, 7);
  assertEquals(asked.slice(0, 2), ["call_0", "call_0_2"]);
  const texts = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  assertEquals(texts, [0, 0, 1, 2, 0, 1, 2].map((n) => `result ${n}`));
  const earlier = select(...drafts.slice(0, 4));
  assertEquals(messages.slice(0, earlier.length), earlier);
});

Deno.test("B28 B24 arguments that are no JSON object, and odd names, are sent in a form all take", () => {
  const given = ['{"a": 1}', '{"path": ', "[1]", "null", '"x"', "", "  ", '{"__proto__":{"x":1}}'];
  const [message] = select(toolCallEntry(given.map((args, n) => call(`c${n}`, args))));
  assertEquals(
    calls(message).map((sent) => sent.arguments),
    ['{"a": 1}', "{}", "{}", "{}", "{}", "{}", "{}", '{"__proto__":{"x":1}}'],
  );
  const names = ["", "fs.read", "größe!", "n".repeat(100)];
  const [named] = select(toolCallEntry(names.map((name, n) => call(`c${n}`, "{}", name))));
  assertEquals(calls(named).map(({ name }) => name), [
    ...["unknown", "fs_read", "gr__e_", "n".repeat(64)],
  ]);
});

Deno.test("B28 a malformed tool_call entry of another program is still answered", () => {
  const [message, ...results] = select(
    {
      kind: "tool_call",
      payload: { calls: [null, { id: 3, function: { arguments: { a: 1 } } }, "x"] },
    },
    toolResultEntry(["one", "two", "three"]),
  );
  assertEquals(calls(message).map((sent) => sent.arguments), ["{}", '{"a":1}', "{}"]);
  assertEquals(results.map(({ content }) => content), ["one", "two", "three"]);
  assertEquals(select({ kind: "tool_call", payload: {} }), []);
});

Deno.test("B32 blank messages and blank parts are left out", () => {
  const messages = select(
    user("   "),
    user(""),
    user([]),
    user([{ type: "text", text: " " }]),
    user([{ type: "text", text: "" }, { type: "text", text: "kept" }]),
    assistant("\n\n"),
    assistant("", { reasoning: [{ text: "only thought" }] }),
    toolCallEntry([call("a")], {}, { content: "\n\n" }),
    toolResultEntry([""]),
  );
  assertEquals(messages, [
    { role: "user", content: [{ type: "text", text: "kept" }] },
    { role: "assistant", content: "", tool_calls: [call("a")] },
    { role: "tool", tool_call_id: "a", name: "fs_read", content: "(empty)" },
  ]);
});

Deno.test("TP2 user messages keep their parts, those of OpenAI's form too", () => {
  const [ours, theirs] = select(
    user([{ type: "text", text: "see" }, { type: "media", mediaType: "image/gif", data: "AA==" }]),
    user([
      { type: "text", text: "see" },
      { type: "image_url", image_url: { url: "data:image/png;base64,BB==" } },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      { type: "input_audio", input_audio: {} },
    ]),
  );
  assertEquals(ours?.content, [
    { type: "text", text: "see" },
    { type: "media", mediaType: "image/gif", data: "AA==" },
  ]);
  assertEquals(theirs?.content, [
    { type: "text", text: "see" },
    { type: "media", mediaType: "image/png", data: "BB==" },
    { type: "text", text: "[image: https://example.com/a.png]" },
    { type: "text", text: "[input_audio: not available]" },
  ]);
});

Deno.test("TP2 an assistant message keeps its reasoning; a list of parts becomes its text", () => {
  const reasoning = [{ text: "think", metadata: { signature: "s" } }];
  assertEquals(
    select(
      assistant("so", { reasoning }),
      assistant([{ type: "text", text: "a" }, { type: "text", text: "b" }], { reasoning: "text" }),
    ),
    [{ role: "assistant", content: "so", reasoning }, { role: "assistant", content: "a\nb" }],
  );
});

function shown(message: ChatMessage) {
  return message.role === "tool"
    ? [message.tool_call_id, message.content, message.is_error]
    : [message.role];
}

function calls(message: ChatMessage | undefined) {
  const sent = message?.role === "assistant" ? message.tool_calls ?? [] : [];
  return sent.map((toolCall) => toolCall.function);
}
