import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { readSession } from "../../lib/kernel/session_settings.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { tapeName } from "../../lib/tape/name.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { appears } from "./appears.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const NEVER = new AbortController().signal;

/** Model and effort of every request so far. */
function asked({ server }: TemporaryAgent): unknown[] {
  return server.requests.map(({ body }) => [body.model, body.reasoning_effort]);
}

/** Events of that name on the tape. */
async function events(app: TemporaryAgent, name: string): Promise<JsonObject[]> {
  const entries = (await app.tape()).filter(({ payload }) => payload.name === name);
  return entries.flatMap(({ payload: { data } }) => isJsonObject(data) ? [data] : []);
}

Deno.test("SC2 SC3 L4 model and effort act from the next turn on and outlive the process", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  await app.run("one");
  const said = await app.run(",model openai-compatible:other");
  assertEquals(said.output, "model: openai-compatible:other, from the next turn on");
  await app.run(",reasoning_effort HIGH");
  await app.run("two");
  await app.run("three");
  const later = await app.another();
  await later.session("cli:local").run("four", { signal: NEVER });
  const other = await later.session("another").run("five", { signal: NEVER });
  assertEquals(other.status, "ok");
  assertEquals(asked(app), [
    ["scripted", undefined],
    ["other", "high"],
    ["other", "high"],
    ["other", "high"],
    ["scripted", undefined],
  ]);
  assertEquals(await events(app, "model_switch"), [{ model: "openai-compatible:other" }]);
});

Deno.test("L4 a flag outranks the session's setting, which outranks the environment", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  await app.run(",model openai-compatible:session");
  await app.run(",reasoning_effort low");
  const flags = { model: "openai-compatible:flag", reasoningEffort: "high" };
  const flagged = (await app.another({ flags })).session("cli:local");
  await flagged.run("one", { signal: NEVER });
  const said = await flagged.run(",model openai-compatible:later", { signal: NEVER });
  assertEquals(
    said.output,
    "model: openai-compatible:later, once bub runs without the flag that says otherwise",
  );
  await flagged.run("two", { signal: NEVER });
  await app.run("three");
  assertEquals(asked(app), [["flag", "high"], ["flag", "high"], ["later", "low"]]);
});

Deno.test("SC2 SC3 SC4 what cannot be used is refused, and the setting is as it was", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  for (
    const [command, kind, message] of [
      [",model nobody:x", "config", 'unknown provider "nobody"'],
      [",model scripted", "config", "names no provider"],
      [",model anthropic:x", "config", "no API key for anthropic"],
      [",model ''", "invalid_input", "model_id"],
      [",model", "invalid_input", "model_id"],
      [",reasoning_effort enormous", "config", "one of auto, none, minimal, low"],
      [",code_mode maybe", "invalid_input", "enable"],
    ] as const
  ) {
    const { error } = await app.run(command);
    assertEquals(error?.kind, kind, command);
    assertStringIncludes(error?.message ?? "", message);
  }
  await app.run("hi");
  assertEquals(asked(app), [["scripted", undefined]]);
});

Deno.test("SC2 a session's model that cannot be used any more is an error that says whose it is", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }), { ANTHROPIC_API_KEY: "k" });
  await app.run(",model anthropic:x");
  const keyless = await app.another({ env: { ANTHROPIC_API_KEY: "" } });
  const { error } = await keyless.session("cli:local").run("hi", { signal: NEVER });
  assertEquals(error?.kind, "config");
  assertMatch(error?.message ?? "", /no API key for anthropic.*,model/);
});

Deno.test("SC4 code mode is kept on the tape", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  const { output } = await app.run(",code_mode enable=true");
  assertMatch(output, /^code mode: on, from the next turn on/);
  const store = new FileTapeStore(`${app.home}/tapes`);
  const tape = new Tape(store, tapeName(app.workspace, "cli:local"));
  assertEquals((await readSession(tape)).codeMode, true);
  await app.run("hi");
  assertEquals((await readSession(tape)).codeMode, true);
  await app.run(",code_mode false");
  assertEquals((await readSession(tape)).codeMode, false);
});

Deno.test("SC5 P6 quit ends the turn, its shells and the pending messages, and the session goes on", async () => {
  await using app = await TemporaryAgent.open([
    {
      calls: [
        { name: "bash", arguments: { command: "echo $$ > pid; exec sleep 300", background: true } },
        {
          name: "bash",
          arguments: {
            command: "until [ -s pid ]; do sleep 0.01; done; touch ready; sleep 300",
          },
        },
      ],
    },
    { text: "fresh" },
  ]);
  const running = app.run("go");
  await appears(`${app.workspace}/ready`);
  app.session().steer("too late");
  assertEquals(app.session().pending, ["too late"]);
  const quit = await app.run(",quit");
  assertEquals([quit.status, quit.error], ["ok", null]);
  assertMatch(quit.output, /^Ended: 1 pending message, 1 running turn, 1 running shell\.$/);
  assertEquals((await running).status, "interrupted");
  assertEquals(app.session().pending, []);
  const pid = (await Deno.readTextFile(`${app.workspace}/pid`)).trim();
  const { success } = await new Deno.Command("kill", { args: ["-0", pid], stderr: "null" })
    .output();
  assertEquals(success, false);
  assertEquals(app.events.filter(({ type }) => type === "quit").length, 1);
  const [record] = await events(app, "command");
  assertEquals([record?.name, record?.status], ["quit", "ok"]);
  const again = await app.run("hello");
  assertEquals([again.output, again.status], ["fresh", "ok"]);
});

Deno.test("SC5 quit ends a command beside it, and leaves other sessions alone", async () => {
  await using app = await TemporaryAgent.open([{
    calls: [{ name: "bash", arguments: { command: "sleep 0.2; echo done" } }],
  }, { text: "ok" }]);
  const started = app.event(({ type }) => type === "tool.start");
  const other = app.session("other").run("go", { signal: NEVER });
  await started;
  const command = app.run(",touch ready; sleep 300");
  await appears(`${app.workspace}/ready`);
  assertMatch((await app.run(",quit")).output, /^Ended: 1 running turn\.$/);
  assertEquals((await command).status, "interrupted");
  assertEquals((await other).output, "ok");
  assertEquals((await app.run(",quit")).output, "Nothing was running.");
});

Deno.test("SC1 SC2 SC3 SC4 SC5 help shows the session commands, and models are given none", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  const { output } = await app.run(",help");
  for (
    const line of [
      ",model model_id",
      ",reasoning_effort reasoning_effort",
      ",code_mode enable",
      ",quit",
    ]
  ) {
    assert(output.split("\n").includes(line), line);
  }
  await app.run("hi");
  const { tools } = app.server.requests[0]?.body as { tools: { function: { name: string } }[] };
  const names = tools.map((tool) => tool.function.name);
  for (const name of ["model", "reasoning_effort", "code_mode", "quit", "help"]) {
    assert(!names.includes(name), name);
  }
});
