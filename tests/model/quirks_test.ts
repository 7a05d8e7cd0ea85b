import { answerLimit } from "../../lib/model/answer_limit.ts";
import { BubError } from "../../lib/errors.ts";
import type { ChatMessage } from "../../lib/model/model.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import type { Answer, RecordedRequest } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { type OpenAIStrictness, startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

function bodies(requests: readonly RecordedRequest[], field: string): readonly unknown[] {
  return requests.map(({ body }) => body[field]);
}

Deno.test("B37 a server that refuses stream_options is asked without them, from then on", async () => {
  const strict = { unknownFields: ["stream_options"] };
  await using server = startFakeOpenAI({ script: [{ text: "a" }, { text: "b" }], strict });
  const model = modelAt(server.base);
  assertEquals((await ask(model)).text, "a");
  assertEquals((await ask(model)).text, "b");
  const sent = bodies(server.requests, "stream_options");
  assertEquals(sent, [{ include_usage: true }, undefined, undefined]);
});

Deno.test("M1 Mistral is never sent stream_options, and gets ids of nine letters", async () => {
  const strict = { unknownFields: ["stream_options"], calls: true };
  await using server = startFakeOpenAI({ script: [{ text: "a" }], strict });
  const call = (id: string) =>
    ({ id, type: "function", function: { name: "bash", arguments: "{}" } }) as const;
  const result = (id: string) =>
    ({ role: "tool", tool_call_id: id, name: "bash", content: "x" }) as const;
  const messages: ChatMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: "", tool_calls: [call("call_0"), call("AbCdEf123")] },
    result("call_0"),
    result("AbCdEf123"),
  ];
  await ask(modelAt(server.base, "mistral:large"), requestOf({ messages }));
  assertEquals(server.requests.length, 1);
  const ids = JSON.stringify(server.requests[0]?.body).match(/(?<="id":")[^"]*/g) ?? [];
  assertEquals([ids.length, ids[1]], [2, "AbCdEf123"]);
  assert(ids.every((id) => /^[A-Za-z0-9]{9}$/.test(id)), ids.join());
});

Deno.test("M1 a model that calls the limit max_completion_tokens gets it so", async () => {
  const refusal = {
    status: 400,
    body: {
      error: {
        message: "Unsupported parameter: 'max_tokens' is not supported with this model. " +
          "Use 'max_completion_tokens' instead.",
      },
    },
  };
  await using server = startFakeOpenAI({ script: [refusal, { text: "a" }, { text: "b" }] });
  const model = modelAt(server.base);
  await ask(model);
  await ask(modelAt(server.base, "openai:gpt-5-mini"));
  assertEquals(bodies(server.requests, "max_completion_tokens"), [undefined, 1000, 1000]);
  assertEquals(bodies(server.requests, "max_tokens"), [1000, undefined, undefined]);
});

Deno.test("M5 B34 a model with shorter answers is asked for what it can give", async () => {
  const strict = { maxTokens: 4096 };
  await using server = startFakeOpenAI({ script: [{ text: "a" }, { text: "b" }], strict });
  const model = modelAt(server.base);
  for (const text of ["a", "b"]) {
    assertEquals((await ask(model, requestOf({ maxTokens: 16384 }))).text, text);
  }
  assertEquals(bodies(server.requests, "max_tokens"), [16384, 4096, 4096]);
});

Deno.test("M5 B34 an answer length is found in every provider's words", () => {
  const lasting: [string, number][] = [
    ["max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens", 8192],
    ["max_tokens is too large: 16384. This model supports at most 4,096 completion tokens", 4096],
    ["`max_tokens` must be less than or equal to `8192`, the maximum value for this model", 8192],
    ["max_tokens must be <= 8192", 8192],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
  ];
  for (const [text, tokens] of lasting) {
    assertEquals(answerLimit(text, 16384), { tokens, lasting: true }, text);
  }
  const once: [string, number][] = [
    ["input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000", 10000],
    [
      "'max_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and " +
      "your request has 92 input tokens (16384 > 8192 - 92).",
      8100,
    ],
    [
      "This model's maximum context length is 20000 tokens. However, you requested 23384 tokens " +
      "(7000 in the messages, 16384 in the completion).",
      13000,
    ],
  ];
  for (const [text, tokens] of once) {
    assertEquals(answerLimit(text, 16384), { tokens, lasting: false }, text);
  }
  for (
    const text of [
      "input length and `max_tokens` exceed context limit: 199990 + 16384 > 200000",
      "prompt is too long: 210000 tokens > 200000 maximum",
      "maximum context length is 8192 tokens",
      "image exceeds 5 MB maximum",
    ]
  ) assertEquals(answerLimit(text, 16384), undefined, text);
});

Deno.test("TP11 B34 a prompt that leaves room for a shorter answer is no overflow", async () => {
  const message = "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000";
  const refusal = { status: 400, body: { type: "error", error: { type: "x", message } } };
  await using server = startFakeAnthropic({ script: [refusal, { text: "ok" }] });
  const model = modelAt(server.base, "anthropic:claude-sonnet-4-5");
  assertEquals((await ask(model, requestOf({ maxTokens: 16384 }))).text, "ok");
  assertEquals(bodies(server.requests, "max_tokens"), [16384, 10000]);
});

/** Three steps of a tool loop on one model; each answer goes back with its reasoning. */
async function toolLoop(id: string, script: readonly Answer[], strict: OpenAIStrictness) {
  await using server = startFakeOpenAI({ script, strict });
  const model = modelAt(server.base, id);
  const messages: ChatMessage[] = [{ role: "user", content: "go" }];
  for (let step = 0; step < script.length; step++) {
    const { text, calls, reasoning } = await ask(model, requestOf({ messages }));
    messages.push({ role: "assistant", content: text, tool_calls: calls, reasoning });
    for (const { id, function: { name } } of calls) {
      messages.push({ role: "tool", tool_call_id: id, name, content: "ok" });
    }
  }
  return server.requests;
}

const LOOP: readonly Answer[] = [
  { reasoning: "first", calls: [{ name: "bash", arguments: "{}" }] },
  { calls: [{ name: "bash", arguments: "{}" }] },
  { text: "done" },
];

Deno.test("B35 servers that want the reasoning back and servers that refuse it both work", async () => {
  const wanted = { reasoning: "required", calls: true } as const;
  const refused = { reasoning: "refused", calls: true } as const;
  const deepseek = await toolLoop("deepseek:reasoner", LOOP, wanted);
  assertEquals(deepseek.length, 3, "known from the table");
  const last = JSON.stringify(deepseek[2]?.body);
  assert(last.includes('"reasoning_content":"first"') && last.includes('"reasoning_content":""'));
  assertEquals((await toolLoop("groq:x", LOOP, refused)).length, 3, "known from the table");
  assertEquals((await toolLoop("openai-compatible:x", LOOP, wanted)).length, 4, "found out");
  assertEquals((await toolLoop("deepseek:x", LOOP, refused)).length, 4, "found out");
});

Deno.test("B35 a signed thinking block comes back as it was, in front of the calls", async () => {
  const thinking = "a \n“b”\u2028😀  ";
  const signature = "EqQBCgIYAhIM/+==";
  await using server = startFakeAnthropic({
    script: [
      { reasoning: Array.from(thinking), signature, text: "\n\n", calls: [{ name: "bash" }] },
      { text: "done" },
    ],
    strict: { thinking: { thinking, signature }, blank: true, calls: true, order: true },
  });
  const model = modelAt(server.base, "anthropic:claude-sonnet-4-5");
  const { text, calls, reasoning } = await ask(model);
  // As the tape keeps it.
  const kept: ChatMessage[] = JSON.parse(JSON.stringify([
    { role: "user", content: "go" },
    { role: "assistant", content: text, tool_calls: calls, reasoning },
    ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, name: "bash", content: "" })),
  ]));
  assertEquals((await ask(model, requestOf({ messages: kept }))).text, "done");
});

Deno.test("B20 an image that the provider refuses is replaced by a note, and stays so", async () => {
  await using server = startFakeOpenAI({
    script: [{ text: "a" }, { text: "b" }],
    strict: { images: true },
  });
  const model = modelAt(server.base);
  const media = { type: "media", mediaType: "image/png", data: "AAAA".repeat(9) } as const;
  const messages: ChatMessage[] = [{
    role: "user",
    content: [{ type: "text", text: "look" }, media],
  }];
  assertEquals((await ask(model, requestOf({ messages }))).text, "a");
  assertEquals((await ask(model, requestOf({ messages }))).text, "b");
  assertEquals(server.requests.length, 3, "refused once");
  const sent = JSON.stringify(server.requests[2]?.body);
  assert(sent.includes("[image/png, 27 bytes, left out: the provider refused it]"), sent);
});

Deno.test("M3 a refusal that nothing can be done about is not sent again", async () => {
  const refusal = { status: 400, body: { error: { message: "reasoning_content is bad" } } };
  await using server = startFakeOpenAI({ script: () => refusal });
  await assertRejects(() => ask(modelAt(server.base)), BubError, "reasoning_content is bad");
  assertEquals(server.requests.length, 2);
});
