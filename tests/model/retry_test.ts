import { BubError, type ErrorKind } from "../../lib/errors.ts";
import type { Model, ModelEvent } from "../../lib/model/model.ts";
import { withRetry } from "../../lib/model/retry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import type { Answer } from "../provider/answer.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

const QUICK = { baseMs: 1, random: () => 1 };

function refused(status: number, headers: Record<string, string> = {}, message = "no"): Answer {
  return { status, headers, body: { error: { message } } };
}

/** The delays that a first failure with these headers leads to, without waiting for them. */
async function delayAfter(headers: Record<string, string>): Promise<number | string> {
  await using server = startFakeOpenAI({ script: [refused(429, headers)] });
  const controller = new AbortController();
  const model = withRetry(modelAt(server.base), { baseMs: 700, random: () => 1 });
  try {
    for await (const event of model.stream(requestOf(), controller.signal)) {
      if (event.type === "retry") return event.delayMs;
    }
  } catch (error) {
    assert(error instanceof BubError);
    return error.message;
  }
  throw new Error("neither a retry nor an error");
}

Deno.test("M3 B33 Retry-After is honoured in every form, and garbage is not", async () => {
  const past = "Wed, 21 Oct 2015 07:28:00 GMT";
  const soon = new Date(Date.now() + 3000).toUTCString();
  assertEquals(await delayAfter({ "retry-after": past }), 0);
  const date = await delayAfter({ "retry-after": soon });
  assert(typeof date === "number" && date > 1000 && date <= 3000, String(date));
  assertEquals(await delayAfter({ "retry-after": "2" }), 2000);
  assertEquals(await delayAfter({ "retry-after": "1.5" }), 1500);
  assertEquals(await delayAfter({ "retry-after-ms": "250", "retry-after": "9" }), 250);
  for (const garbage of ["0", "abc", "-5", "", "NaN", "Infinity"]) {
    assertEquals(await delayAfter({ "retry-after": garbage }), 700, garbage);
  }
  for (const [value, told] of [["1e9", "1000000000 s"], ["86400", "86400 s"]] as const) {
    const message = await delayAfter({ "retry-after": value });
    assertStringIncludes(String(message), `a further wait of ${told} would go over the 120 s`);
  }
});

Deno.test("M3 B33 the waits double, spread, and end after five attempts", async () => {
  await using server = startFakeOpenAI({ script: () => refused(503) });
  const delays: number[] = [];
  const model = withRetry(modelAt(server.base), { baseMs: 2, random: () => 1 });
  const error = await assertRejects(async () => {
    for await (const event of model.stream(requestOf(), new AbortController().signal)) {
      if (event.type === "retry") delays.push(event.delayMs);
    }
  }, BubError);
  assertEquals(delays, [2, 4, 8, 16]);
  assertEquals(server.requests.length, 5);
  assertEquals(error.kind, "server");
  assertStringIncludes(error.message, "(after 5 attempts)");
  assertStringIncludes(error.message, "status 503");
});

Deno.test("M3 B33 all waits together stay within the budget", async () => {
  await using server = startFakeOpenAI({ script: () => refused(429, { "retry-after-ms": "20" }) });
  const model = withRetry(modelAt(server.base), { totalMs: 50 });
  const { message } = await assertRejects(() => ask(model), BubError);
  assertEquals(server.requests.length, 3);
  assertStringIncludes(message, "would go over");
});

Deno.test("M3 what may pass is tried again, everything else fails at once", async () => {
  const cases: [Answer, ErrorKind, number][] = [
    [refused(429), "rate_limit", 5],
    [refused(500), "server", 5],
    [refused(502, {}, "<html>bad gateway</html>"), "server", 5],
    [refused(529), "server", 5],
    [refused(408), "connection", 5],
    [{ text: "half", end: "cut" }, "connection", 5],
    [{ error: { message: "overloaded", code: 502 } }, "server", 5],
    [refused(400), "model", 1],
    [refused(401), "auth", 1],
    [refused(403), "auth", 1],
    [refused(402), "model", 1],
    [refused(404), "model", 1],
    [refused(501), "model", 1],
    [refused(413), "context_overflow", 1],
  ];
  for (const [answer, kind, requests] of cases) {
    await using server = startFakeOpenAI({ script: () => answer });
    const error = await assertRejects(() => ask(withRetry(modelAt(server.base), QUICK)), BubError);
    const name = JSON.stringify(answer);
    assertEquals([error.kind, server.requests.length], [kind, requests], name);
  }
});

Deno.test("M3 B33 a quota that is used up is not tried again", async () => {
  const quota = "You exceeded your current quota, please check your plan and billing details.";
  const bodies = [
    { error: { message: quota, type: "insufficient_quota", code: "insufficient_quota" } },
    { error: { message: quota } },
    { error: { message: "Insufficient balance" } },
  ];
  for (const body of bodies) {
    await using server = startFakeOpenAI({ script: () => ({ status: 429, body }) });
    const { kind } = await assertRejects(
      () => ask(withRetry(modelAt(server.base), QUICK)),
      BubError,
    );
    assertEquals([kind, server.requests.length], ["model", 1], JSON.stringify(body));
  }
  // Google speaks of a quota where a rate is meant, and says how long to wait.
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.01s" }];
  const body = { error: { code: 429, message: quota, status: "RESOURCE_EXHAUSTED", details } };
  await using server = startFakeOpenAI({ script: [{ status: 429, body }, { text: "ok" }] });
  const { text, events } = await ask(withRetry(modelAt(server.base), QUICK));
  assertEquals(text, "ok");
  assertEquals(events[0]?.type === "retry" && events[0].delayMs, 10);
});

Deno.test("M3 B30 a retry voids the text before it and says why", async () => {
  await using server = startFakeOpenAI({
    script: [{ text: "Hel", error: { message: "overloaded", code: 502 } }, { text: "Hello" }],
  });
  const { events, text } = await ask(withRetry(modelAt(server.base), QUICK));
  assertEquals(text, "Hello");
  const [first, retry] = events;
  assertEquals(first, { type: "text", text: "Hel" });
  assert(retry?.type === "retry");
  assertEquals([retry.attempt, retry.delayMs], [2, 1]);
  assertStringIncludes(retry.reason, "overloaded");
});

Deno.test("M3 B33 an interruption ends the wait at once", async () => {
  await using server = startFakeOpenAI({ script: [refused(429, { "retry-after": "60" })] });
  const controller = new AbortController();
  const started = performance.now();
  const error = await assertRejects(async () => {
    const events = withRetry(modelAt(server.base)).stream(requestOf(), controller.signal);
    for await (const event of events) if (event.type === "retry") controller.abort();
  }, BubError);
  assertEquals(error.kind, "interrupted");
  assert(performance.now() - started < 1000);
});

Deno.test("M3 a server that cannot be reached is tried again", async () => {
  const server = startFakeOpenAI({ script: [] });
  await server[Symbol.asyncDispose]();
  const events: ModelEvent[] = [];
  const model: Model = withRetry(modelAt(server.base), { ...QUICK, attempts: 3 });
  const error = await assertRejects(async () => {
    for await (const event of model.stream(requestOf(), new AbortController().signal)) {
      events.push(event);
    }
  }, BubError);
  assertEquals([error.kind, events.length], ["connection", 2]);
  assertStringIncludes(error.message, "openai-compatible");
});
