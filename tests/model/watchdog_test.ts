import { BubError } from "../../lib/errors.ts";
import { withRetry } from "../../lib/model/retry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import type { Answer } from "../provider/answer.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const SERVERS = [
  ["openai-compatible:test", startFakeOpenAI],
  ["anthropic:claude-sonnet-4-5", startFakeAnthropic],
  ["openai:gpt-5", startFakeResponses],
] as const;

/** Answers that go silent: after the headers alone, and after a first piece. */
const SILENT: readonly Answer[] = [{ raw: "", end: "hang" }, { text: "one", end: "hang" }];

for (const [id, start] of SERVERS) {
  Deno.test(`B38 ${id}: silence is a connection error, and the connection is closed`, async () => {
    for (const answer of SILENT) {
      await using server = start({ script: [{ text: "warm" }, answer] });
      const settings = { openaiApi: "responses" as const };
      const model = modelAt(server.base, id, settings, { silenceSeconds: 0.3 });
      await ask(model);
      const { kind, message } = await assertRejects(() => ask(model), BubError);
      assertEquals([kind, message], ["connection", "no data from the model for 0.3 s"]);
      await server.whenAborted();
    }
  });

  Deno.test(`B38 M5 ${id}: an interruption ends the call at once and closes`, async () => {
    const healthy: Answer = { text: Array.from({ length: 200 }, (_, n) => `${n} `), paceMs: 20 };
    const pings: Answer = { text: "one", end: "hang", pingMs: 20 };
    for (const answer of [...SILENT, healthy, pings]) {
      await using server = start({ script: [answer] });
      const controller = new AbortController();
      const model = modelAt(server.base, id, { openaiApi: "responses" });
      const asked = ask(model, requestOf(), controller.signal);
      await server.whenRequested();
      setTimeout(() => controller.abort(), 60);
      const started = performance.now();
      const { kind } = await assertRejects(() => asked, BubError);
      assertEquals(kind, "interrupted", JSON.stringify(answer));
      assert(performance.now() - started < 1000);
      await server.whenAborted();
    }
  });
}

Deno.test("B38 a slow answer that never goes silent is read to its end", async () => {
  const text = Array.from({ length: 10 }, (_, n) => `${n}`);
  await using server = startFakeOpenAI({ script: [{ text, paceMs: 50 }] });
  const model = modelAt(server.base, undefined, {}, { silenceSeconds: 0.4, stallSeconds: 0.4 });
  assertEquals((await ask(model)).text, "0123456789");
});

Deno.test("B38 comments are signs of life, but only for so long", async () => {
  await using server = startFakeOpenAI({ script: [{ text: "one", end: "hang", pingMs: 20 }] });
  const options = { silenceSeconds: 0.4, stallSeconds: 0.8 };
  const started = performance.now();
  const { kind, message } = await assertRejects(
    () => ask(modelAt(server.base, undefined, {}, options)),
    BubError,
  );
  assertEquals(kind, "connection");
  assertStringIncludes(message, "signs of life");
  assert(performance.now() - started > 750);
  await server.whenAborted();
});

Deno.test("B38 M3 after silence the request goes out again", async () => {
  await using server = startFakeOpenAI({ script: [SILENT[1] ?? {}, { text: "two" }] });
  const model = modelAt(server.base, undefined, {}, { silenceSeconds: 0.3 });
  const { text, events } = await ask(withRetry(model, { baseMs: 1 }));
  assertEquals(text, "two");
  assertEquals(events.map(({ type }) => type), ["text", "retry", "text", "finish"]);
});

Deno.test("M5 BUB_MODEL_TIMEOUT_SECONDS ends a call that takes longer, and is no retry", async () => {
  await using server = startFakeOpenAI({ script: [{ text: "one", end: "hang", pingMs: 20 }] });
  const model = withRetry(modelAt(server.base, undefined, { modelTimeoutSeconds: 0.2 }));
  const { kind, message } = await assertRejects(() => ask(model), BubError);
  assertEquals(kind, "timeout");
  assertStringIncludes(message, "limit of 0.2 s");
  assertEquals(server.requests.length, 1);
});

Deno.test("M5 the caller's own time limit is a timeout", async () => {
  await using server = startFakeOpenAI({ script: [{ raw: "", end: "hang" }] });
  const { kind } = await assertRejects(
    () => ask(modelAt(server.base), requestOf(), AbortSignal.timeout(50)),
    BubError,
  );
  assertEquals(kind, "timeout");
});

Deno.test("B38 a consumer that stops listening closes the connection", async () => {
  for (const [id, start] of SERVERS) {
    await using server = start({ script: [{ text: "one", end: "hang" }] });
    const model = modelAt(server.base, id, { openaiApi: "responses" });
    for await (const event of model.stream(requestOf(), new AbortController().signal)) {
      assertEquals(event, { type: "text", text: "one" });
      break;
    }
    await server.whenAborted();
  }
});
