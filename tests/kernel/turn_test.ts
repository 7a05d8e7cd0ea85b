import { isJsonObject } from "../../lib/json.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

const bash = (command: string, id?: string) => ({
  name: "bash",
  arguments: { command },
  ...(id === undefined ? {} : { id }),
});

/** The messages of the nth request, counted from 0. */
function messages(app: TemporaryAgent, n: number): Record<string, unknown>[] {
  const body = app.server.requests[n]?.body as { messages: Record<string, unknown>[] };
  return body.messages;
}

Deno.test("TP4 a turn records each step in the order prompt, calls, results, answer, run", async () => {
  await using app = await TemporaryAgent.open([
    { text: "Looking.", calls: [bash("echo one"), bash("echo two")] },
    { text: "Done." },
  ]);
  const result = await app.run("go");
  assertEquals(result.output, "Done.");
  assertEquals(result.status, "ok");
  assertEquals(result.steps, 2);
  const tape = await app.tape();
  assertEquals(outline(tape), [
    "anchor:session/start",
    "event:loop.start",
    "event:loop.step.start",
    "system",
    "message:user",
    "tool_call",
    "tool_result",
    "event:run",
    "event:loop.step",
    "event:loop.step.start",
    "message:assistant",
    "event:run",
    "event:loop.step",
  ]);
  assertEquals(tape.map(({ id }) => id), tape.map((_, index) => index + 1));
  assertEquals(tape[6]?.payload.results, ["one\n", "two\n"]);
  assertEquals(tape[5]?.payload.content, "Looking.");
  const [first, second] = tape.filter(({ payload }) => payload.name === "run");
  assert(first !== undefined && second !== undefined && isJsonObject(first.payload.data));
  assertMatch(String(first.meta.run_id), /^run-\d{8}T\d{12}Z$/);
  assertEquals(tape[4]?.meta.run_id, first.meta.run_id);
  assertEquals(first.payload.data.status, "ok");
  assertEquals(first.payload.data.model, "openai-compatible:scripted");
  assertEquals(first.payload.data.provider, "openai-compatible");
  assert(isJsonObject(first.payload.data.usage));
});

Deno.test("TP4 the prompt is on the tape before the model is asked", async () => {
  let seen: string[] = [];
  await using app = await TemporaryAgent.open(async () => {
    const tape = await app.tape();
    seen = tape.filter(({ payload }) => payload.name === "loop.step.start").map(({ payload }) =>
      isJsonObject(payload.data) ? String(payload.data.prompt) : ""
    );
    return { text: "ok" };
  });
  await app.run("remember this");
  assertEquals(seen, ["remember this"]);
});

Deno.test("T4 the calls of one step run at the same time and are recorded in call order", async () => {
  // Each call waits for the file that the other one makes: one after the other they would hang.
  const meet = (mine: string, other: string) =>
    bash(`touch ${mine}; until [ -e ${other} ]; do sleep 0.01; done; echo ${mine}`);
  await using app = await TemporaryAgent.open([
    { calls: [meet("a", "b"), meet("b", "a")] },
    { text: "met" },
  ]);
  await app.run("go");
  const result = (await app.tape()).find(({ kind }) => kind === "tool_result");
  assertEquals(result?.payload.results, ["a\n", "b\n"]);
});

Deno.test("T1 T3 B28 wrong calls become results beside the good ones, and the next turn works", async () => {
  await using app = await TemporaryAgent.open([
    {
      calls: [
        { name: "fs_read", arguments: { path: "ok.txt" } },
        { name: "fs_read", arguments: '{"path": ' },
        { name: "no_such_tool", arguments: {} },
        { name: "fs_read", arguments: "[1]" },
        { name: "fs_read", arguments: "null" },
        { name: "", arguments: {} },
        { name: "FS.READ", arguments: '{"__proto__":{"limit":1},"path":"ok.txt"}' },
        { name: "fs_red", arguments: { path: "ok.txt" } },
      ],
    },
    { text: "one" },
    { text: "two" },
  ]);
  await Deno.writeTextFile(`${app.workspace}/ok.txt`, "fine");
  assertEquals((await app.run("go")).output, "one");
  assertEquals((await app.run("and now?")).output, "two");
  const sent = messages(app, 1).filter(({ role }) => role === "tool").map(({ content }) =>
    String(content)
  );
  assertEquals(sent.length, 8);
  assertEquals(sent[0], "fine");
  assertMatch(sent[1] ?? "", /invalid_input.*JSON/);
  assertMatch(sent[2] ?? "", /unknown_tool.*no_such_tool/);
  assertMatch(sent[3] ?? "", /invalid_input.*object/);
  assertStringIncludes(sent[7] ?? "", "fs_read");
});

Deno.test("TP5 the next turn starts from what the tape holds, in another process too", async () => {
  await using app = await TemporaryAgent.open([
    { calls: [bash("echo 41")] },
    { text: "It is 41." },
    { text: "As I said." },
  ]);
  await app.run("which number?");
  await app.run("say it again");
  assertEquals(messages(app, 2).slice(1).map(({ role, content }) => [role, content]), [
    ["user", "which number?"],
    ["assistant", null],
    ["tool", "41\n"],
    ["assistant", "It is 41."],
    ["user", "say it again"],
  ]);
});

Deno.test("M4 the system prompt has host facts and the workspace's AGENTS.md", async () => {
  await using app = await TemporaryAgent.open([{ text: "ok" }]);
  await Deno.writeTextFile(`${app.workspace}/AGENTS.md`, "Always answer in Latin.");
  await app.run("hi");
  const [system] = messages(app, 0);
  assertEquals(system?.role, "system");
  for (const fact of [app.workspace, Deno.build.os, "Shell: bash", "Always answer in Latin."]) {
    assertStringIncludes(String(system?.content), fact);
  }
  assertStringIncludes(String(system?.content), new Date().toISOString().slice(0, 10));
});

Deno.test("M5 a turn ends after BUB_MAX_STEPS steps with an error, and can be taken up again", async () => {
  await using app = await TemporaryAgent.open([
    { calls: [bash("echo 1")] },
    { calls: [bash("echo 2")] },
    { text: "finished" },
  ], { BUB_MAX_STEPS: "2" });
  const result = await app.run("count");
  assertEquals(result.status, "error");
  assertEquals(result.error?.kind, "max_steps");
  assertEquals(result.steps, 2);
  assertEquals((await app.run("go on")).output, "finished");
});

Deno.test("M5 B23 a turn interrupted in its tools leaves a tape that the next turn uses", async () => {
  await using app = await TemporaryAgent.open([
    { calls: [bash("sleep 60"), bash("echo quick")] },
    { text: "fine again" },
  ]);
  const interrupt = new AbortController();
  const quick = app.event((event) => event.type === "tool.end");
  const running = app.run("go", { signal: interrupt.signal });
  await quick;
  interrupt.abort();
  const result = await running;
  assertEquals(result.status, "interrupted");
  const tape = await app.tape();
  const results = tape.find(({ kind }) => kind === "tool_result")?.payload.results;
  assert(Array.isArray(results) && isJsonObject(results[0]));
  assertEquals(results[0].kind, "interrupted");
  assertEquals(results[1], "quick\n");
  assertEquals((await app.run("still there?")).output, "fine again");
});

Deno.test("M5 a time limit ends the turn as timeout, in the model's answer too", async () => {
  await using app = await TemporaryAgent.open([{ text: "Half an", end: "hang" }, {
    text: "whole",
  }]);
  const limit = new AbortController();
  const text = app.event((event) => event.type === "text");
  const running = app.run("go", { signal: limit.signal });
  await text;
  limit.abort(new DOMException("late", "TimeoutError"));
  const result = await running;
  assertEquals(result.status, "timeout");
  assertEquals(result.error?.kind, "timeout");
  const error = (await app.tape()).find(({ kind }) => kind === "error");
  assert(isJsonObject(error?.payload.details));
  assertEquals(error.payload.details.partial, "Half an");
  await app.run("again");
  assertEquals(messages(app, 1).slice(1).map(({ content }) => content), ["go\n\nagain"]);
});

Deno.test("M3 B71 a failed model call ends the turn with its error on the tape", async () => {
  await using app = await TemporaryAgent.open([
    { status: 401, body: { error: { message: "no such key" } } },
    { text: "better" },
  ]);
  const result = await app.run("hi");
  assertEquals(result.status, "error");
  assertEquals(result.error?.kind, "auth");
  assertEquals(result.output, "");
  assertEquals(outline(await app.tape()).slice(-4), [
    "message:user",
    "error",
    "event:run",
    "event:loop.step",
  ]);
  assertEquals((await app.run("hi again")).output, "better");
});

Deno.test("M1 a turn without a model fails as configuration and leaves the tape alone", async () => {
  await using app = await TemporaryAgent.open([], { BUB_MODEL: "" });
  const result = await app.run("hi");
  assertEquals(result.error?.kind, "config");
  assertStringIncludes(result.error?.message ?? "", "BUB_MODEL");
  assertEquals(await app.tape(), []);
});

Deno.test("M5 turns of one session wait for each other", async () => {
  let open = 0;
  let most = 0;
  await using app = await TemporaryAgent.open(async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open--;
    return { text: "ok" };
  });
  await Promise.all([app.run("one"), app.run("two"), app.run("three")]);
  assertEquals(most, 1);
  assertEquals(app.events.filter(({ type }) => type === "waiting").length, 2);
  const said = (await app.tape()).filter(({ kind }) => kind === "message").map(({ payload }) =>
    payload.content
  );
  assertEquals(said, ["one", "ok", "two", "ok", "three", "ok"]);
});

Deno.test("TP4 what is typed during a turn is read before its next step", async () => {
  await using app = await TemporaryAgent.open(() => {
    if (app.server.requests.length > 1) return { text: "done" };
    app.session().steer("use the other file");
    return { calls: [bash("true")] };
  });
  const result = await app.run("go");
  assertEquals(result.steps, 2);
  assertEquals(messages(app, 1).at(-1), { role: "user", content: "use the other file" });
  assertEquals(app.session().pending, []);
  const tape = outline(await app.tape());
  assertEquals(tape.slice(-5, -2), ["event:loop.step.start", "message:user", "message:assistant"]);
});

Deno.test("T7 commands are recorded as events, and no model ever sees them", async () => {
  await using app = await TemporaryAgent.open([{ text: "ok" }]);
  await Deno.writeTextFile(`${app.workspace}/a.txt`, "1\n2\n3\n");
  const read = await app.run(",fs.read a.txt limit=2");
  assertEquals([read.output, read.status, read.steps], ["1\n2\n", "ok", 0]);
  const failed = await app.run(",sh -c 'echo out; exit 3'");
  assertEquals(failed.status, "error");
  assertEquals(failed.error?.message, "command exited with code 3");
  assertEquals(failed.output, "out\n");
  await app.run("hello");
  assertEquals(messages(app, 0).length, 2);
  const commands = (await app.tape()).filter(({ payload }) => payload.name === "command");
  const [first, second] = commands.map(({ payload }) => payload.data);
  assert(isJsonObject(first) && isJsonObject(second));
  assertEquals([first.raw, first.name, first.status, first.output], [
    "fs.read a.txt limit=2",
    "fs.read",
    "ok",
    "1\n2\n",
  ]);
  assertEquals([second.name, second.status], ["bash", "error"]);
});

Deno.test("T6 what stands behind a doubled prefix is a prompt", async () => {
  await using app = await TemporaryAgent.open([{ text: "ok" }]);
  await app.run(",,help me");
  assertEquals(messages(app, 0).at(-1), { role: "user", content: "help me" });
});

Deno.test("L2 the turn may use only the tools it is allowed", async () => {
  await using app = await TemporaryAgent.open([
    { calls: [{ name: "bash", arguments: { command: "touch made" } }] },
    { text: "ok" },
  ]);
  await app.run("go", { allowedTools: ["fs_read"] });
  const body = app.server.requests[0]?.body as { tools: { function: { name: string } }[] };
  assertEquals(body.tools.map((tool) => tool.function.name), ["fs_read"]);
  assertMatch(String(messages(app, 1).at(-1)?.content), /unknown_tool/);
  assertEquals(await Array.fromAsync(Deno.readDir(app.workspace)), []);
});

Deno.test("P6 closing the agent ends the session's processes", async () => {
  await using app = await TemporaryAgent.open([
    {
      calls: [{
        name: "bash",
        arguments: { command: "echo $$; exec sleep 300", background: true },
      }],
    },
    { calls: [bash("sleep 0.1")] },
    { text: "ok" },
  ]);
  await app.run("go");
  const [id] = (await app.tape()).filter(({ kind }) => kind === "tool_result").map(({ payload }) =>
    payload.results
  );
  assert(Array.isArray(id) && isJsonObject(id[0]));
  const shown = await app.run(`,bash.output ${id[0].shell_id}`);
  const pid = Number(JSON.parse(shown.output).output);
  assert(pid > 1);
  assertEquals(await exists(pid), true);
  await app.agent.close();
  assertEquals(await exists(pid), false);
});

async function exists(pid: number): Promise<boolean> {
  const { success } = await new Deno.Command("kill", { args: ["-0", `${pid}`], stderr: "null" })
    .output();
  return success;
}

Deno.test("L2 an answer without text and calls is a warning, one that failed or was cut is not", async () => {
  await using app = await TemporaryAgent.open([
    { text: " \n" },
    { text: "", finish: "length" },
    { status: 401, body: {} },
  ]);
  const warnings = async () => {
    app.events.length = 0;
    await app.run("go");
    return app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
  };
  assertEquals(await warnings(), ["the model gave an empty answer"]);
  assertMatch(
    (await warnings()).join("; "),
    /^the answer was cut at the limit of \d+ tokens[^;]*$/,
  );
  assertEquals(await warnings(), []);
});
