import { BubError } from "../../lib/errors.ts";
import { withFallback } from "../../lib/model/fallback.ts";
import { withRetry } from "../../lib/model/retry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt } from "./ask.ts";

const FAILING = { status: 401, body: { error: { message: "no such key" } } };

Deno.test("M1 the next model answers when one fails for good, and an event says so", async () => {
  await using bad = startFakeOpenAI({ script: () => FAILING });
  await using good = startFakeOpenAI({ script: [{ text: "one" }, { text: "two" }] });
  const model = withFallback([
    withRetry(modelAt(bad.base, "groq:first")),
    withRetry(modelAt(good.base, "mistral:second")),
  ]);
  assertEquals(model.id, "groq:first");
  const { text, events } = await ask(model);
  assertEquals(text, "one");
  const [fallback] = events;
  assert(fallback?.type === "fallback");
  assertEquals(fallback.model, "mistral:second");
  assertStringIncludes(fallback.reason, "no such key");
  assertEquals((await ask(model)).text, "two");
  assertEquals(bad.requests.length, 1, "a model that failed rests");
});

Deno.test("M1 a model that failed is asked again after its rest", async () => {
  await using first = startFakeOpenAI({ script: [FAILING, { text: "back" }] });
  await using second = startFakeOpenAI({ script: [{ text: "instead" }] });
  const model = withFallback([modelAt(first.base), modelAt(second.base)], { restMs: 0 });
  assertEquals((await ask(model)).text, "instead");
  const { text, events } = await ask(model);
  assertEquals([text, events.some(({ type }) => type === "fallback")], ["back", false]);
});

Deno.test("M1 when every model fails the last error is thrown, and all are asked again", async () => {
  await using server = startFakeOpenAI({ script: [FAILING, FAILING, { text: "back" }] });
  const model = withFallback([modelAt(server.base, "groq:a"), modelAt(server.base, "groq:b")]);
  const { details } = await assertRejects(() => ask(model), BubError);
  assertEquals(details?.model, "b");
  assertEquals((await ask(model)).text, "back");
});

Deno.test("TP11 M1 a context that is too long, or an interruption, is no case for a fallback", async () => {
  await using full = startFakeOpenAI({ script: () => ({ status: 413 }) });
  await using other = startFakeOpenAI({ script: () => ({ text: "no" }) });
  const model = withFallback([modelAt(full.base), modelAt(other.base)]);
  const { kind } = await assertRejects(() => ask(model), BubError);
  assertEquals(kind, "context_overflow");

  await using silent = startFakeOpenAI({ script: [{ raw: "", end: "hang" }] });
  const interrupted = withFallback([modelAt(silent.base), modelAt(other.base)]);
  const signal = AbortSignal.timeout(50);
  await assertRejects(() => ask(interrupted, undefined, signal), BubError);
  assertEquals(other.requests.length, 0);
});
