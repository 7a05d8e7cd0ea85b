import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { appears } from "./appears.ts";
import { recordedCalls } from "./code_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const NO_MODEL = { BUB_MODEL: "" };
const silent = () => ({ status: 500 });

Deno.test("C2 T6 T7 ,run_code runs code without a model, outside code mode too, and is recorded", async () => {
  await using app = await TemporaryAgent.open(silent, NO_MODEL);
  const { output, error, status } = await app.run(
    `,run_code 'print((await tools.bash("echo hi")).trim(), Object.keys(tools).includes("run_code"))'`,
  );
  assertEquals([output, error, status], ["hi false\n", null, "ok"]);
  const [call] = await recordedCalls(app);
  assertMatch(String(call?.call_id), /^command-[0-9a-f-]+\/1$/);
  assertEquals(`${call?.run_call_id}/1`, call?.call_id);
  const command = (await app.tape()).find(({ payload }) => payload.name === "command");
  assertStringIncludes(JSON.stringify(command?.payload.data), '"name":"run_code"');
  assertEquals(app.events.map(({ type }) => type), ["result"], "a command has no events but this");
});

Deno.test("C2 T7 an error of the code has what it printed as its output", async () => {
  await using app = await TemporaryAgent.open(silent, NO_MODEL);
  const failed = await app.run(
    `,run_code code='print("so far"); throw new Error("no")' timeout_seconds=5`,
  );
  assertEquals([failed.status, failed.error?.kind], ["error", "tool"]);
  assertEquals(failed.error?.details?.output, "so far\n");
});

Deno.test("C3 an interrupted ,run_code ends at once, with its calls", async () => {
  await using app = await TemporaryAgent.open(silent, NO_MODEL);
  const abort = new AbortController();
  const running = app.run(`,run_code 'await tools.bash("touch ready; exec sleep 300")'`, {
    signal: abort.signal,
  });
  await appears(`${app.workspace}/ready`);
  const at = performance.now();
  abort.abort();
  assertEquals((await running).status, "interrupted");
  assert(performance.now() - at < 2_000, "sooner than what does not heed its signal");
  assertEquals((await recordedCalls(app)).map(({ status }) => status), ["error"]);
});
