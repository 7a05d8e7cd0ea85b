import type { ChatMessage } from "../../lib/model/model.ts";
import { type PromptForm, toPrompt } from "../../lib/model/prompt.ts";
import type { ToolCall } from "../../lib/tape/entry.ts";
import { assert, assertEquals } from "../assert.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const CHAT: PromptForm = {
  adapter: "chat",
  callIds: {},
  returnsReasoning: false,
  refusedMedia: new Set(),
};

function call(id: string, name = "bash", args = "{}"): ToolCall {
  return { id, type: "function", function: { name, arguments: args } };
}

function result(id: string, content = "ok"): ChatMessage {
  return { role: "tool", tool_call_id: id, name: "bash", content };
}

Deno.test("B32 blank text is never sent, and no order of roles breaks over it", async () => {
  const messages: ChatMessage[] = [
    { role: "assistant", content: "[Anchor created: x]" },
    { role: "user", content: "   " },
    { role: "assistant", content: "\n\n" },
    { role: "user", content: "again" },
    { role: "assistant", content: "", tool_calls: [call("a")] },
    result("a", ""),
    { role: "assistant", content: "", reasoning: [{ text: "only thought" }] },
    { role: "user", content: [{ type: "text", text: " " }] },
    { role: "assistant", content: "\n", tool_calls: [call("b")] },
    { role: "tool", tool_call_id: "b", name: "bash", content: [{ type: "text", text: " " }] },
  ];
  await using anthropic = startFakeAnthropic({
    script: [{ text: "ok" }],
    strict: { blank: true, order: true, calls: true },
  });
  const request = requestOf({ messages, system: " " });
  await ask(modelAt(anthropic.base, "anthropic:claude-sonnet-4-5"), request);
  await using openai = startFakeOpenAI({
    script: [{ text: "ok" }],
    strict: { blank: true, calls: true, arguments: true },
  });
  await ask(modelAt(openai.base), request);
  assertEquals([anthropic.requests.length, openai.requests.length], [1, 1]);
});

Deno.test("B26 ids are unique in a request, the same every time, and pair with their results", async () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "one" },
    { role: "assistant", content: "", tool_calls: [call("call_0", "bash", '{"n":1}')] },
    result("call_0", "first"),
    { role: "assistant", content: "", tool_calls: [call("call_0"), call("call_0"), call("")] },
    result("call_0", "second"),
    result("call_0", "third"),
    result("", "fourth"),
    { role: "assistant", content: "", tool_calls: [call("bash:0")] },
    result("bash:0", "fifth"),
  ];
  await using openai = startFakeOpenAI({
    script: () => ({ text: "ok" }),
    strict: { calls: true },
  });
  await ask(modelAt(openai.base), requestOf({ messages }));
  await ask(modelAt(openai.base), requestOf({ messages }));
  assertEquals(openai.requests[0]?.body, openai.requests[1]?.body);
  await using anthropic = startFakeAnthropic({ script: [{ text: "ok" }], strict: { calls: true } });
  await ask(modelAt(anthropic.base, "anthropic:claude-sonnet-4-5"), requestOf({ messages }));
  assertEquals(anthropic.requests.length, 1);
});

Deno.test("B28 arguments and names that no provider takes are sent in a form they take", async () => {
  const bad = ['{"path": ', "[1]", "null", '"x"', ""];
  const calls = bad.map((text, n) => call(`c${n}`, n === 0 ? "no such tool!" : "fs_read", text));
  const kept = call("proto", "fs_read", '{"__proto__":{"x":1},"limit":9007199254740993}');
  const all = [...calls, kept, call("nameless", "")];
  const messages: ChatMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: "", tool_calls: all },
    ...all.map(({ id }) => result(id)),
  ];
  await using server = startFakeOpenAI({
    script: [{ text: "ok" }],
    strict: { calls: true, arguments: true },
  });
  await ask(modelAt(server.base), requestOf({ messages }));
  assertEquals(server.requests.length, 1);
  const sent = JSON.stringify(server.requests[0]?.body);
  assert(sent.includes('"name":"no_such_tool_"') && sent.includes('"name":"unnamed"'), sent);
  assert(sent.includes("__proto__"), "the object's own member is kept");
  assertEquals(({} as { x?: number }).x, undefined);
});

Deno.test("M1 media that a provider does not take become a note", () => {
  const content = [
    { type: "media", mediaType: "audio/ogg", data: "AAAA" },
    { type: "media", mediaType: "image/png", data: "AAAA" },
  ] as const;
  const [message] = toPrompt(
    requestOf({ system: "", messages: [{ role: "user", content }] }),
    CHAT,
  );
  assertEquals(message?.content, [
    {
      type: "text",
      text: "[audio/ogg, 3 bytes, left out: this provider takes no such media]",
    },
    { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
  ]);
});

Deno.test("B32 user messages in a row go out as one", () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "one" },
    { role: "user", content: "two" },
  ];
  assertEquals(toPrompt(requestOf({ messages }), CHAT).slice(1), [
    { role: "user", content: [{ type: "text", text: "one\n\ntwo" }] },
  ]);
});

Deno.test("M1 the result of a failed tool is marked where the provider has a mark", async () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: "", tool_calls: [call("a")] },
    { role: "tool", tool_call_id: "a", name: "bash", content: '{"kind":"tool"}', is_error: true },
  ];
  await using anthropic = startFakeAnthropic({ script: [{ text: "ok" }] });
  await ask(modelAt(anthropic.base, "anthropic:claude-sonnet-4-5"), requestOf({ messages }));
  assert(JSON.stringify(anthropic.requests[0]?.body).includes('"is_error":true'));
  await using openai = startFakeOpenAI({ script: [{ text: "ok" }] });
  await ask(modelAt(openai.base), requestOf({ messages }));
  const sent = openai.requests[0]?.body.messages;
  assert(Array.isArray(sent));
  assertEquals(sent.at(-1), { role: "tool", tool_call_id: "a", content: '{"kind":"tool"}' });
});
