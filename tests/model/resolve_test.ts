import { BubError } from "../../lib/errors.ts";
import type { Model } from "../../lib/model/model.ts";
import {
  isProviderName,
  keySources,
  PROVIDER_NAMES,
  providerFacts,
  providerVariable,
} from "../../lib/model/provider.ts";
import { createModel, parseModelId, warmUp } from "../../lib/model/resolve.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { ask, modelAt, requestOf, settingsFor } from "./ask.ts";

function configError(id: string, settings = settingsFor(undefined, { apiKey: undefined })): string {
  const { kind, message } = assertThrows(() => createModel(id, settings), BubError);
  assertEquals(kind, "config");
  return message;
}

Deno.test("M1 a model is provider:model, and the model may hold colons", () => {
  assertEquals(parseModelId("ollama:qwen3:8b"), { provider: "ollama", model: "qwen3:8b" });
  assertEquals(parseModelId("OpenRouter:x/y:free"), { provider: "openrouter", model: "x/y:free" });
  assertEquals(parseModelId("replay:C:\\a.jsonl"), { provider: "replay", model: "C:\\a.jsonl" });
});

Deno.test("M1 a wrong model id is a config error that says what to set", () => {
  for (const id of ["gpt-5", "", ":x", "openai", "openai:", "nobody:x", "replay:"]) {
    const message = configError(id);
    assertStringIncludes(message, JSON.stringify(id));
  }
  assertStringIncludes(configError("gpt-5"), "such as openai:gpt-5");
  assertStringIncludes(configError("openai"), "openai:<model>");
  for (const name of PROVIDER_NAMES) assertStringIncludes(configError("nobody:x"), name);
});

Deno.test("M1 a missing key is a config error that names every variable to set", () => {
  for (const name of PROVIDER_NAMES) {
    if (providerFacts(name).keyless) continue;
    const message = configError(`${name}:x`);
    for (const variable of keySources(name)) assertStringIncludes(message, variable);
  }
  assertEquals(keySources("groq"), ["BUB_GROQ_API_KEY", "BUB_API_KEY", "GROQ_API_KEY"]);
  assertEquals(providerVariable("openai-compatible", "API_BASE"), "BUB_OPENAI_COMPATIBLE_API_BASE");
  assert(isProviderName("google") && !isProviderName("toString"));
});

Deno.test("M1 no error says to set a general key or base that serves another provider", () => {
  const settings = { ...settingsFor(undefined, { apiKey: undefined }), keyOwner: "openai" };
  assertEquals(
    configError("groq:x", settings),
    "no API key for groq; set BUB_GROQ_API_KEY or GROQ_API_KEY: " +
      "as plain text BUB_API_KEY serves only openai",
  );
  assertEquals(
    configError("openai-compatible:x", settings),
    "no API base for openai-compatible; set the address of the server, such as " +
      "http://127.0.0.1:8080/v1, in BUB_OPENAI_COMPATIBLE_API_BASE: " +
      "as plain text BUB_API_BASE serves only openai",
  );
  assertStringIncludes(configError("openai:x", settings), "set BUB_OPENAI_API_KEY, BUB_API_KEY or");
});

Deno.test("M1 openai-compatible needs an API base, and every base must be a URL", () => {
  const message = configError("openai-compatible:x");
  assertStringIncludes(message, "BUB_OPENAI_COMPATIBLE_API_BASE");
  assertStringIncludes(message, "BUB_API_BASE");
  assertStringIncludes(configError("groq:x", settingsFor("localhost:80")), '"localhost:80"');
});

Deno.test("M1 loopback bases need no key, whatever the provider", async () => {
  const bases = [
    ["openai:x", startFakeOpenAI],
    ["anthropic:claude-sonnet-4-5", startFakeAnthropic],
    ["ollama:qwen3:8b", startFakeOpenAI],
  ] as const;
  for (const [id, start] of bases) {
    await using server = start({ script: [{ text: "ok" }] });
    const model = modelAt(server.base, id, { apiKey: undefined });
    assertEquals((await ask(model)).text, "ok", id);
    assertEquals(server.requests[0]?.headers.authorization, undefined);
  }
});

Deno.test("M1 Ollama's base may be written as its own programs write it", async () => {
  await using server = startFakeOpenAI({ script: () => ({ text: "ok" }) });
  const bases = [`127.0.0.1:${server.port}`, `0.0.0.0:${server.port}`, server.base.slice(0, -3)];
  for (const base of bases) {
    assertEquals((await ask(modelAt(base, "ollama:x", { apiKey: undefined }))).text, "ok", base);
  }
  const hosts = new Set(server.requests.map(({ headers }) => headers.host));
  assertEquals([...hosts], [`127.0.0.1:${server.port}`]);
  assertEquals(server.requests[0]?.path, "/v1/chat/completions");
});

Deno.test("M1 openai speaks Chat Completions to another base, Responses when told so", async () => {
  await using chat = startFakeOpenAI({ script: [{ text: "chat" }] });
  assertEquals((await ask(modelAt(chat.base, "openai:gpt-4o"))).text, "chat");
  assertEquals(chat.requests[0]?.path, "/v1/chat/completions");
  await using responses = startFakeResponses({ script: [{ text: "responses" }] });
  const model = modelAt(responses.base, "openai:gpt-4o", { openaiApi: "responses" });
  assertEquals((await ask(model)).text, "responses");
  assertEquals(responses.requests[0]?.path, "/v1/responses");
});

Deno.test("M3 L5 a key of the provider's own variable that no header takes is a config error", () => {
  const message = configError("groq:x", settingsFor(undefined, { apiKey: "gsk-se\ncret" }));
  assertStringIncludes(message, "the key of groq in GROQ_API_KEY has a character that no key has");
  assertEquals(message.includes("cret"), false);
});

Deno.test("M1 an unknown reasoning effort is a config error that names the known ones", async () => {
  await using server = startFakeOpenAI({ script: [] });
  try {
    await ask(modelAt(server.base), requestOf({ reasoningEffort: "huge" }));
    throw new Error("no error");
  } catch (error) {
    assert(error instanceof BubError, String(error));
    assertEquals(error.kind, "config");
    assertStringIncludes(error.message, "minimal, low, medium, high");
  }
  assertEquals(server.requests.length, 0);
});

Deno.test("M2 replay: needs someone who plays recordings, and gets the file as it is written", () => {
  const played: Model = { id: "replay:x", async *stream() {} };
  let asked = "";
  const replay = (file: string) => {
    asked = file;
    return played;
  };
  assertEquals(createModel("replay:a b/x.jsonl", settingsFor(undefined), { replay }), played);
  assertEquals(asked, "a b/x.jsonl");
  assertStringIncludes(configError("replay:x"), "replay:x");
});

Deno.test("M1 warmUp() takes any id, also a wrong one", () => {
  const settings = settingsFor(undefined);
  for (const id of ["openai:x", "nobody:x", "", "replay:x"]) warmUp(id, settings);
});
