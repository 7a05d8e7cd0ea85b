import { BubError, type ErrorKind } from "../../lib/errors.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import type { Answer, Framing } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider, FakeProviderOptions } from "../provider/fake_provider.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const CHAT = ["openai-compatible:test", startFakeOpenAI] as const;
const MESSAGES = ["anthropic:claude-sonnet-4-5", startFakeAnthropic] as const;
const RESPONSES = ["openai:gpt-5", startFakeResponses] as const;
type Adapter = readonly [string, (options: FakeProviderOptions) => FakeProvider];

/** What one scripted answer comes to. */
async function answerOf([id, start]: Adapter, answer: Answer) {
  await using server = start({ script: [answer] });
  return await ask(modelAt(server.base, id, { openaiApi: "responses" }));
}

async function failureOf([id, start]: Adapter, answer: Answer): Promise<BubError> {
  await using server = start({ script: [answer] });
  const model = modelAt(server.base, id, { openaiApi: "responses", apiKey: "my-secret-key" });
  const error = await assertRejects(() => ask(model), BubError);
  assert(!error.message.includes("my-secret-key"), error.message);
  return error;
}

for (const adapter of [CHAT, MESSAGES, RESPONSES] satisfies Adapter[]) {
  const [id] = adapter;

  Deno.test(`B31 ${id}: every cut and framing gives the same answer`, async () => {
    const answer: Answer = {
      text: ["Grüße 👋🏽\u2028", "zwei\nZeilen"],
      calls: [{ name: "bash", arguments: { command: "echo '€\u2028😀'" } }],
    };
    const framings: Framing[] = [
      { cut: "whole" },
      { cut: "byte" },
      { cut: "byte", newline: "\r\n", noise: true },
      { cut: "whole", newline: "\r", noise: true },
      { cut: "event", byteOrderMark: true, noise: true },
      { cut: "event", openEnd: true },
      { cut: "byte", newline: "\r\n", openEnd: true, byteOrderMark: true },
      ...[1, 2, 3, 4].map((seed): Framing => ({ cut: seed, newline: "\r\n", noise: true })),
      ...[5, 6].map((seed): Framing => ({ cut: seed })),
    ];
    for (const framing of framings) {
      const { text, calls, finish } = await answerOf(adapter, { ...answer, framing });
      const name = JSON.stringify(framing);
      assertEquals(text, "Grüße 👋🏽\u2028zwei\nZeilen", name);
      assertEquals(calls.map(({ function: named }) => named), [{
        name: "bash",
        arguments: JSON.stringify({ command: "echo '€\u2028😀'" }),
      }], name);
      assertEquals(finish.reason, "tool_calls", name);
    }
  });

  Deno.test(`B29 ${id}: an answer without its end is a connection error`, async () => {
    const broken: Answer[] = [
      { text: "half", end: "cut" },
      { text: "half", finish: null, done: false },
      { text: "half", finish: null },
      { raw: "" },
      { calls: [{ name: "bash", arguments: '{"comm' }], end: "cut" },
    ];
    for (const answer of broken) {
      const { kind } = await failureOf(adapter, answer);
      assertEquals(kind, "connection", JSON.stringify(answer));
    }
  });
}

Deno.test("B29 Anthropic without message_stop has not ended", async () => {
  const { kind } = await failureOf(MESSAGES, { text: "half", finish: "end_turn", done: false });
  assertEquals(kind, "connection");
});

Deno.test("B29 a stream without [DONE] has ended with its finish reason", async () => {
  const { text, finish } = await answerOf(CHAT, { text: "whole", done: false });
  assertEquals([text, finish.reason], ["whole", "stop"]);
});

Deno.test('B29 finish "stop" with calls runs them, an unknown reason is kept', async () => {
  const calls = await answerOf(CHAT, { calls: [{ name: "bash" }], finish: "stop" });
  assertEquals([calls.finish.reason, calls.calls.length], ["tool_calls", 1]);
  const weird = await answerOf(CHAT, { text: "x", finish: "weird" });
  assertEquals([weird.finish.reason, weird.finish.rawReason], ["other", "weird"]);
  const length = await answerOf(CHAT, { text: "x", finish: "length" });
  assertEquals(length.finish.reason, "length");
});

Deno.test("B29 a half answer hands out no call", async () => {
  await using server = startFakeOpenAI({
    script: [{ calls: [{ name: "bash", arguments: "{}" }], end: "cut" }],
  });
  const types: string[] = [];
  await assertRejects(async () => {
    const events = modelAt(server.base).stream(requestOf(), new AbortController().signal);
    for await (const { type } of events) types.push(type);
  }, BubError);
  assertEquals(types, []);
});

Deno.test("B30 an error object inside a stream is an error with the provider's text", async () => {
  const cases: [Adapter, Answer, ErrorKind, string][] = [
    [CHAT, { text: "Hel", error: { message: "overloaded", code: 502 } }, "server", "overloaded"],
    [CHAT, { error: { message: "slow down", code: 429 } }, "rate_limit", "slow down"],
    [CHAT, { text: "Hel", error: "plain string" }, "model", "plain string"],
    [CHAT, { data: ['{"choices":[],"error":{"message":"upstream"}}'] }, "model", "upstream"],
    [CHAT, { text: "x", error: { message: "bad key my-secret-key" } }, "model", "bad key [key]"],
    [
      MESSAGES,
      { text: "Hel", error: { type: "overloaded_error", message: "Overloaded" } },
      "server",
      "Overloaded",
    ],
    [
      MESSAGES,
      { error: { type: "rate_limit_error", message: "too many" } },
      "rate_limit",
      "too many",
    ],
    [
      RESPONSES,
      { text: "Hel", error: { code: "server_error", message: "The server had an error" } },
      "server",
      "The server had an error",
    ],
    [
      RESPONSES,
      { error: { code: "rate_limit_exceeded", message: "Rate limit reached" } },
      "rate_limit",
      "Rate limit reached",
    ],
  ];
  for (const [adapter, answer, kind, text] of cases) {
    const error = await failureOf(adapter, answer);
    const name = `${adapter[0]} ${JSON.stringify(answer)}: ${error.message}`;
    assertEquals(error.kind, kind, name);
    assertStringIncludes(error.message, text, name);
  }
});

Deno.test("B30 status 200 with a JSON error or a page of HTML is an error", async () => {
  const html = "<html><head><style>p{}</style></head><body><h1>Bad\n gateway</h1></body></html>";
  for (const adapter of [CHAT, MESSAGES, RESPONSES]) {
    const json = await failureOf(adapter, { body: { error: { message: "no such plan" } } });
    assertEquals(json.kind, "model");
    assertStringIncludes(json.message, "no such plan");
    const overloaded = await failureOf(adapter, {
      body: { error: { message: "busy", code: 503 } },
    });
    assertEquals(overloaded.kind, "server");
    const page = await failureOf(adapter, { body: html, headers: { "content-type": "text/html" } });
    assertEquals(page.kind, "model");
    assert(page.message.endsWith("Bad gateway"), page.message);
  }
});

Deno.test("B31 a data line that is no JSON is an error although the stream goes on", async () => {
  for (const adapter of [CHAT, MESSAGES]) {
    const { kind, message } = await failureOf(adapter, { text: "par", data: ["{not json"] });
    assertEquals(kind, "connection", message);
    assertStringIncludes(message, "not json");
  }
});

Deno.test("B31 an event over two data lines, and chunks without choices, are understood", async () => {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta: { content: "hi" } }] }, null, 1);
  const raw = [
    ...chunk.split("\n").map((line) => `data: ${line}`),
    "",
    'data: {"object":"ping"}',
    "",
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    "",
  ].join("\n");
  const { text } = await answerOf(CHAT, { raw });
  assertEquals(text, "hi");
});

Deno.test("B24 a call without arguments has an empty object", async () => {
  for (const args of ["", "  ", null, undefined, "{}"]) {
    const call = args === undefined ? { name: "bash" } : { name: "bash", arguments: args };
    for (const adapter of [CHAT, MESSAGES, RESPONSES]) {
      const { calls } = await answerOf(adapter, { calls: [call] });
      assertEquals(calls[0]?.function, { name: "bash", arguments: "{}" }, `${adapter[0]} ${args}`);
    }
  }
});

Deno.test("B26 the same id twice, or an empty one, makes two distinct calls", async () => {
  const { calls } = await answerOf(CHAT, {
    calls: [
      { name: "bash", arguments: '{"n":1}', id: "call_0" },
      { name: "bash", arguments: '{"n":2}', id: "call_0" },
      { name: "bash", arguments: '{"n":3}', id: "" },
    ],
  });
  assertEquals(calls.map(({ function: { arguments: text } }) => text), [
    '{"n":1}',
    '{"n":2}',
    '{"n":3}',
  ]);
  const ids = calls.map(({ id }) => id);
  assertEquals(new Set(ids).size, 3);
  assert(!ids.includes(""));
});

Deno.test("B28 malformed arguments and empty names come through as they were written", async () => {
  const texts = ['{"path":"ok.txt"}', '{"path": ', "[1]", "null", '{"__proto__":{"x":1}}'];
  const { calls } = await answerOf(CHAT, {
    calls: [...texts.map((text) => ({ name: "fs_read", arguments: text })), {
      name: "",
      arguments: '{"a":1}',
    }],
  });
  assertEquals(calls.map(({ function: named }) => named), [
    ...texts.map((text) => ({ name: "fs_read", arguments: text })),
    { name: "unnamed", arguments: '{"a":1}' },
  ]);
});

Deno.test("B35 reasoning in any form is never the answer's text", async () => {
  for (const field of ["reasoning_content", "reasoning"] as const) {
    const answer = await answerOf(CHAT, { reasoning: "hm", reasoningField: field, text: "yes" });
    assertEquals([answer.reasoningText, answer.text], ["hm", "yes"]);
  }
  const tagged = await answerOf(CHAT, { text: ["<th", "ink>hm", "</thi", "nk>\n\n", "yes"] });
  assertEquals([tagged.reasoningText, tagged.text], ["hm", "yes"]);
  assertEquals(tagged.reasoning, [{ text: "hm" }]);
  const alone = await answerOf(CHAT, { reasoning: "only" });
  assertEquals([alone.reasoningText, alone.text, alone.finish.reason], ["only", "", "stop"]);
});

Deno.test("B37 usage that is missing or zero is estimated and marked", async () => {
  const told = await answerOf(CHAT, { text: "12345678", usage: { prompt_tokens: 9 } });
  assertEquals(told.finish.usage, {
    prompt_tokens: 9,
    completion_tokens: 2,
    total_tokens: 11,
    prompt_tokens_details: { cached_tokens: 0 },
    estimated: true,
  });
  const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  for (const usage of ["none", zero, null] as const) {
    const { finish } = await answerOf(CHAT, { text: "12345678", usage });
    assertEquals(finish.usage?.estimated, true, JSON.stringify(usage));
    assertEquals(finish.usage?.completion_tokens, 2);
    assert((finish.usage?.prompt_tokens ?? 0) > 10);
  }
  const late = await answerOf(CHAT, {
    text: "x",
    usage: null,
    finish: null,
    done: false,
    data: [
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}',
      '{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}',
    ],
  });
  assertEquals([late.finish.usage?.total_tokens, late.finish.usage?.estimated], [10, undefined]);
});
