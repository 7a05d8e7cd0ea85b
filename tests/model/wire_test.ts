import v8 from "node:v8";
import vm from "node:vm";
import { BubError } from "../../lib/errors.ts";
import { withRetry } from "../../lib/model/retry.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { ask, modelAt, requestOf } from "./ask.ts";

/** Collects garbage at once. */
function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
}

Deno.test("B38 an interruption after a garbage collection still ends the answer", async () => {
  const text = Array.from({ length: 100 }, (_, n) => `${n} `);
  await using server = startFakeOpenAI({ script: [{ text, paceMs: 20 }] });
  const controller = new AbortController();
  let pieces = 0;
  const error = await assertRejects(async () => {
    for await (const _ of modelAt(server.base).stream(requestOf(), controller.signal)) {
      pieces++;
      if (pieces === 2) collectGarbage();
      if (pieces === 4) controller.abort();
    }
  }, BubError);
  assertEquals(error.kind, "interrupted");
  assert(pieces < 10, `${pieces} pieces`);
  await server.whenAborted();
});

Deno.test("M1 the next step goes out on the same connection", async () => {
  const ports = new Set<number>();
  const stop = new AbortController();
  const sse = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
  const listen = { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen() {} };
  const server = Deno.serve(listen, (_, { remoteAddr }) => {
    ports.add(remoteAddr.port);
    return new Response(sse, { headers: { "content-type": "text/event-stream" } });
  });
  const model = modelAt(`http://127.0.0.1:${server.addr.port}/v1`);
  for (let n = 0; n < 3; n++) assertEquals((await ask(model)).text, "x");
  stop.abort();
  await server.finished;
  assertEquals(ports.size, 1);
});

Deno.test("B30 an answer that is not even an event stream is bounded in memory and time", async () => {
  await using server = startFakeOpenAI({
    script: [{ status: 200, body: "<" + "x".repeat(5_000_000) }],
  });
  const { kind, message } = await assertRejects(() => ask(modelAt(server.base)), BubError);
  assertEquals(kind, "model");
  assert(message.length < 1000);
});

Deno.test({
  name: "E4 M3 a missing Deno permission is a permission error, and is not tried again",
  permissions: { net: false, env: false },
  async fn() {
    const model = withRetry(modelAt("http://127.0.0.1:4321/v1"));
    const { kind, message } = await assertRejects(() => ask(model), BubError);
    assertEquals(kind, "permission");
    assertStringIncludes(message, "--allow-net=127.0.0.1:4321");
  },
});
