import { BubError, type ErrorKind } from "../../lib/errors.ts";
import { modelFailure } from "../../lib/model/failure.ts";
import { refusalFromBody } from "../../lib/model/refusal.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt } from "./ask.ts";

const ASKED = { provider: "openai", model: "gpt-x", keys: ["my-secret-key"] };

function failure(status: number, message: string, code: string | null = null): BubError {
  return modelFailure(refusalFromBody(status, { error: { message, code } }), ASKED);
}

const OVERFLOWS: readonly string[] = [
  "maximum context length is 8192 tokens",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "context_overflow",
  "tokens in request more than max tokens allowed",
  "Input is too long for requested model",
  "Prompt has 256,468 tokens, but the configured context size is 256,000 tokens",
  "the request exceeds the available context size. try increasing the context size",
  "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "Please reduce the length of the messages or completion.",
  "input length and `max_tokens` exceed context limit: 199990 + 16384 > 200000, decrease input",
  "The total number of tokens exceeds the model's context length of 4096",
  "Requested token count exceeds the model's maximum context length of 131072 tokens",
  "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
  "the prompt length exceeds the context length of the model",
  "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
  "context window exceeded",
  "The model's context window is full",
  "trying to keep the first 9000 tokens when context overflows: n_keep 9000 >= n_ctx 4096",
];

const OTHER_LIMITS: readonly [number, string, ErrorKind][] = [
  [400, "rate limit: 30000 tokens per minute exceeded", "model"],
  [429, "rate limit: 30000 tokens per minute exceeded", "rate_limit"],
  [400, "max_tokens must be <= 8192", "model"],
  [400, "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens", "model"],
  [
    400,
    "max_tokens is too large: 16384. This model supports at most 4096 completion tokens",
    "model",
  ],
  [400, "image exceeds 5 MB maximum", "model"],
  [413, "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum", "model"],
  [
    413,
    "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000",
    "model",
  ],
  [400, "tool description is too long", "model"],
  [400, "unknown model", "model"],
];

Deno.test("TP11 B34 a context that is too long is recognised in every provider's words", () => {
  for (const words of OVERFLOWS) {
    for (const status of [400, 422, 500]) {
      assertEquals(failure(status, words).kind, "context_overflow", `${status} ${words}`);
    }
  }
  assertEquals(failure(400, "no", "context_length_exceeded").kind, "context_overflow");
  assertEquals(modelFailure(refusalFromBody(413, ""), ASKED).kind, "context_overflow");
});

Deno.test("TP11 B34 other limits are never taken for it", () => {
  for (const [status, words, kind] of OTHER_LIMITS) {
    assertEquals(failure(status, words).kind, kind, words);
  }
});

Deno.test("TP11 B34 an overflow inside a stream is recognised too", async () => {
  const error = { message: "prompt is too long", type: "invalid_request_error" };
  for (
    const [id, start] of [
      ["groq:x", startFakeOpenAI],
      ["anthropic:claude-sonnet-4-5", startFakeAnthropic],
    ] as const
  ) {
    await using server = start({ script: [{ error }, { text: "half", error }] });
    const model = modelAt(server.base, id);
    for (let n = 0; n < 2; n++) {
      const { kind } = await assertRejects(() => ask(model), BubError);
      assertEquals(kind, "context_overflow");
    }
  }
});

Deno.test("M3 B71 a failure is one sentence with the status, the provider's text and no key", async () => {
  const message = "Incorrect API key provided: my-secret-key (or sk-proj-abcdef123456).";
  await using server = startFakeOpenAI({
    script: [{ status: 401, body: { error: { message, code: "invalid_api_key" } } }],
  });
  const model = modelAt(server.base, "groq:llama", { apiKey: "my-secret-key" });
  const error = await assertRejects(() => ask(model), BubError);
  assertEquals(
    error.message,
    "groq refused the key (status 401): Incorrect API key provided: [key] (or [key]).",
  );
  assertEquals(JSON.parse(JSON.stringify(error.report())), {
    kind: "auth",
    message: error.message,
    details: { provider: "groq", model: "llama", status: 401 },
  });
});

Deno.test("M3 a failed connection to this machine names the proxy that it went to", async () => {
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const base = `http://127.0.0.1:${closed.addr.port}/v1`;
  closed.close();
  const env = { HTTP_PROXY: "http://proxy.invalid:3128" };
  const { kind, message } = await assertRejects(
    () => ask(modelAt(base, undefined, { env })),
    BubError,
  );
  assertEquals(kind, "connection");
  assertStringIncludes(
    message,
    "; it went through the proxy of HTTP_PROXY, which NO_PROXY=127.0.0.1",
  );
  const refused = (status: number) =>
    modelFailure(refusalFromBody(status, "no"), { ...ASKED, proxyNote: "; proxy" }).message;
  assertStringIncludes(refused(502), "; proxy");
  assert(!refused(400).includes("; proxy"));
});

Deno.test("M3 keys in headers of the client arguments are masked as well", async () => {
  await using server = startFakeOpenAI({
    script: [{ status: 400, body: { error: "got header abc-token-1 and Bearer xyz.12345678" } }],
  });
  const model = modelAt(server.base, undefined, {
    clientArgs: { headers: { "X-Api-Key": "abc-token-1" } },
  });
  const { message } = await assertRejects(() => ask(model), BubError);
  assertStringIncludes(message, "got header [key] and Bearer [key]");
});

Deno.test("M3 the provider's text is found in every shape of error", () => {
  const bodies: [unknown, string][] = [
    [{ error: { message: "A" } }, "A"],
    [{ error: "B" }, "B"],
    [{ message: "C" }, "C"],
    [{ detail: "D" }, "D"],
    [{ detail: [{ loc: ["body", "x"], msg: "Extra inputs" }] }, "Extra inputs"],
    [[{ error: { code: 400, message: "E" } }], "E"],
    [
      { error: { message: "Provider returned error", metadata: { raw: "upstream F" } } },
      "upstream F",
    ],
    [{ type: "error", error: { type: "x", message: "G" } }, "G"],
    ["plain H", "plain H"],
    ["<!doctype html><title>x</title><body>502 <b>I</b></body>", "502 I"],
  ];
  for (const [body, text] of bodies) {
    const { message } = modelFailure(refusalFromBody(400, body), ASKED);
    assertStringIncludes(message, text, JSON.stringify(body));
  }
  const long = modelFailure(refusalFromBody(400, "😀".repeat(5000)), ASKED).message;
  assert(long.length < 1400 && long.endsWith("😀…"), "cut at a whole character");
});
