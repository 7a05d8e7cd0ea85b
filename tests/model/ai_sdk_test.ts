import { assert, assertEquals } from "../assert.ts";
import type { ChatMessage, ToolMessage } from "../../lib/model/model.ts";
import type { Answer } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeGoogle } from "../provider/fake_google.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider, FakeProviderOptions } from "../provider/fake_provider.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const IMAGE = "iVBORw0KGgo=";
const BASH = {
  name: "bash",
  description: "Runs a command.",
  parameters: { type: "object", properties: { command: { type: "string" } } },
} as const;

const TURN: readonly Answer[] = [
  {
    reasoning: ["let me ", "see"],
    signature: "c2lnbmVk",
    text: ["I ", "look"],
    calls: [{ name: "bash", arguments: { command: "ls" }, id: "call_a" }, { name: "bash" }],
  },
  { text: "done" },
];

/** Every adapter: the model id that reaches it, its server, and where its requests hold images. */
const ADAPTERS: readonly (readonly [string, (options: FakeProviderOptions) => FakeProvider])[] = [
  ["openai-compatible:test", startFakeOpenAI],
  ["anthropic:claude-sonnet-4-5", startFakeAnthropic],
  ["openai:gpt-5", startFakeResponses],
  ["google:gemini-3-pro", startFakeGoogle],
];

for (const [id, start] of ADAPTERS) {
  Deno.test(`M1 B35 ${id}: text, reasoning, calls, images and usage make a tool loop`, async () => {
    await using server = start({ script: TURN });
    const model = modelAt(server.base, id, { openaiApi: "responses" });
    const request = requestOf({ tools: [BASH], reasoningEffort: "high" });
    const first = await ask(model, request);
    assertEquals(first.text, "I look");
    assertEquals(first.reasoningText, "let me see");
    assertEquals(first.calls.map(({ function: named }) => named), [
      { name: "bash", arguments: '{"command":"ls"}' },
      { name: "bash", arguments: "{}" },
    ]);
    assertEquals(first.finish.reason, "tool_calls");
    assertEquals(first.finish.usage, {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
    });

    const results = first.calls.map(({ id, function: { name } }, index): ToolMessage => ({
      role: "tool",
      tool_call_id: id,
      name,
      content: index === 0
        ? [{ type: "text", text: "a picture" }, {
          type: "media",
          mediaType: "image/png",
          data: IMAGE,
        }]
        : "",
    }));
    const messages: ChatMessage[] = [
      ...request.messages,
      {
        role: "assistant",
        content: first.text,
        tool_calls: first.calls,
        reasoning: first.reasoning,
      },
      ...results,
    ];
    const second = await ask(model, { ...request, messages });
    assertEquals(second.text, "done");
    const sent = JSON.stringify(server.requests[1]?.body);
    for (const part of [IMAGE, "a picture", "(empty)", "I look"]) assert(sent.includes(part), part);
    const returnsSignature = !id.startsWith("openai-compatible");
    assertEquals(sent.includes("c2lnbmVk"), returnsSignature, "the signature goes back");
    assertEquals(server.requests.length, 2);
  });
}

Deno.test("M1 a Chat Completions server gets images behind all results of the step", async () => {
  await using server = startFakeOpenAI({ script: [{ text: "ok" }], strict: { calls: true } });
  const media = { type: "media", mediaType: "image/png", data: IMAGE } as const;
  const call = (id: string) =>
    ({ id, type: "function", function: { name: "fs_read", arguments: "{}" } }) as const;
  const result = (id: string) =>
    ({ role: "tool", tool_call_id: id, name: "fs_read", content: [media] }) as const;
  await ask(
    modelAt(server.base),
    requestOf({
      messages: [
        { role: "user", content: "look" },
        { role: "assistant", content: "", tool_calls: [call("a"), call("b")] },
        result("a"),
        result("b"),
        { role: "user", content: "and?" },
      ],
    }),
  );
  const messages = server.requests[0]?.body.messages;
  assert(Array.isArray(messages));
  assertEquals(messages.map(({ role }) => role), [
    "system",
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
  ]);
  const last = messages.at(-1)?.content;
  assert(Array.isArray(last));
  assertEquals(last.map(({ type }) => type), ["text", "image_url", "text", "image_url", "text"]);
});

Deno.test("M1 Anthropic is told what it may keep: the system prompt and the last messages", async () => {
  await using server = startFakeAnthropic({ script: [{ text: "ok" }] });
  const messages: ChatMessage[] = [
    { role: "user", content: "one" },
    { role: "assistant", content: "1" },
    { role: "user", content: "two" },
    { role: "assistant", content: "2" },
    { role: "user", content: "three" },
  ];
  await ask(modelAt(server.base, "anthropic:claude-sonnet-4-5"), requestOf({ messages }));
  const body = JSON.stringify(server.requests[0]?.body);
  assertEquals(body.match(/"cache_control":\{"type":"ephemeral"\}/g)?.length, 3);
  assert(!body.includes('"text":"one","cache_control"'), "not on older messages");
});

Deno.test("M1 client and completion arguments reach the request, and win", async () => {
  await using server = startFakeAnthropic({ script: [{ text: "ok" }] });
  const model = modelAt(server.base, "anthropic:claude-sonnet-4-5", {
    clientArgs: { extra_headers: { "X-Title": "bub" }, default_query: { beta: "1" } },
    completionArgs: { temperature: 0.5, max_tokens: 77, extra_body: { top_k: 3 } },
  });
  await ask(model);
  const [request] = server.requests;
  assertEquals(request?.headers["x-title"], "bub");
  assertEquals(request?.query, { beta: "1" });
  const { temperature, max_tokens, top_k, model: name } = request?.body ?? {};
  assertEquals({ temperature, max_tokens, top_k, name }, {
    temperature: 0.5,
    max_tokens: 77,
    top_k: 3,
    name: "claude-sonnet-4-5",
  });
});

Deno.test("M1 M5 a request carries tools, reasoning effort and the token limit", async () => {
  await using server = startFakeOpenAI({ script: [{ text: "ok" }] });
  const model = modelAt(server.base, "openrouter:some/model:free");
  await ask(model, requestOf({ tools: [BASH], reasoningEffort: "low", maxTokens: 16384 }));
  const [request] = server.requests;
  assertEquals(request?.path, "/v1/chat/completions");
  assertEquals(request?.headers.authorization, "Bearer test-key");
  const { model: name, max_tokens, reasoning_effort, tools, stream_options } = request?.body ?? {};
  assertEquals({ name, max_tokens, reasoning_effort, tools, stream_options }, {
    name: "some/model:free",
    max_tokens: 16384,
    reasoning_effort: "low",
    tools: [{ type: "function", function: BASH }],
    stream_options: { include_usage: true },
  });
});

Deno.test("M1 calls of one Model object at the same time do not mix", async () => {
  await using server = startFakeOpenAI({
    script: ({ body }) => ({ text: Array.from(JSON.stringify(body.messages)), paceMs: 0 }),
  });
  const model = modelAt(server.base);
  const answers = await Promise.all(
    ["one", "two", "three", "four"].map((content) =>
      ask(model, requestOf({ messages: [{ role: "user", content }] })).then(({ text }) => {
        assert(text.includes(`"${content}"`), text);
        return content;
      })
    ),
  );
  assertEquals(answers.length, 4);
});
