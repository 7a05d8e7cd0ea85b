import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { code, CODE_MODE, firstResults } from "./code_script.ts";
import { call, messages, offered, scriptBy, toolResults } from "./subagent_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const NEVER = new AbortController().signal;
const ok = () => ({ text: "ok" });

/** The tools that each request so far offered: their number outside code mode. */
function offers({ server }: TemporaryAgent): unknown[] {
  return server.requests.map((request) => {
    const names = offered(request);
    return names.length === 1 || names.length === 0 ? names.join() : "one by one";
  });
}

function system(app: TemporaryAgent, n = 0): string {
  return String(messages(app.server.requests[n]?.body ?? {})[0]?.content);
}

Deno.test("C1 in code mode run_code alone is offered, with declarations of what its code may call", async () => {
  await using app = await TemporaryAgent.open(ok, {}, CODE_MODE);
  await app.run("hi");
  assertEquals(offers(app), ["run_code"]);
  const prompt = system(app);
  assertStringIncludes(prompt, "fs_read(args: {path: string /* Relative to the workspace */, ");
  for (const name of ["bash", "web_fetch", "subagent_wait", "attach_video"]) {
    assertStringIncludes(prompt, `\n${name}(args`);
  }
  for (const name of ["run_code", "quit", "help", "code_mode"]) {
    assert(!prompt.includes(`\n${name}(`), `${name} is not for code`);
  }
  assert(app.server.requests[0] !== undefined && app.server.requests[0].size <= 12_000);
});

Deno.test("C1 outside code mode run_code is not offered, and a call of it says so", async () => {
  await using app = await TemporaryAgent.open([{ calls: [code("print(1)")] }, { text: "ok" }]);
  await app.run("go");
  const [request] = app.server.requests;
  assert(request !== undefined && !offered(request).includes("run_code"));
  assert(!offered(request).includes("attach_image"));
  assert(request.size <= 9_000, String(request.size));
  assert(!system(app).includes("declare const tools"));
  assertEquals(firstResults(app).map((text) => JSON.parse(text)), [{
    kind: "unknown_tool",
    message: "run_code is there in code mode only, which is off; call the tools one by one",
  }]);
});

Deno.test("C1 B28 a direct call of another tool is an error that says how code calls it", async () => {
  const calls = [call("fs_read", { path: "a" }), call("no_such"), call("quit"), call("")];
  await using app = await TemporaryAgent.open([{ calls }, { text: "ok" }], {}, CODE_MODE);
  assertEquals((await app.run("go")).status, "ok");
  const reports = firstResults(app).map((text) => JSON.parse(text));
  assertEquals(reports.map(({ kind }) => kind), calls.map(() => "unknown_tool"));
  assertEquals(
    reports[0].message,
    "in code mode fs_read is called from run_code: await tools.fs_read({...})",
  );
  assertMatch(reports[1].message, /unknown tool "no_such".*known tools: run_code$/);
});

Deno.test("SC4 code mode acts from the next turn on, outlives the process, and ends with a reset", async () => {
  await using app = await TemporaryAgent.open(ok);
  await app.run("one");
  const said = await app.run(",code_mode enable=true");
  assertEquals(said.output, "code mode: on, from the next turn on");
  await app.run("two");
  const later = (await app.another()).session("cli:local");
  await later.run("three", { signal: NEVER });
  await (await app.another()).session("another").run("four", { signal: NEVER });
  await app.run(",tape.reset");
  await later.run("five", { signal: NEVER });
  await later.run(",code_mode true", { signal: NEVER });
  await later.run(",code_mode false", { signal: NEVER });
  await later.run("six", { signal: NEVER });
  const [off, on] = ["one by one", "run_code"];
  assertEquals(offers(app), [off, on, on, off, off, off]);
});

Deno.test("L2 L4 --code-mode outranks the session's setting, and ,code_mode says so", async () => {
  await using app = await TemporaryAgent.open(ok);
  const flagged = (await app.another(CODE_MODE)).session("cli:local");
  const { output } = await flagged.run(",code_mode enable=false", { signal: NEVER });
  assertEquals(output, "code mode: off, once bub runs without the flag that says otherwise");
  await flagged.run("one", { signal: NEVER });
  await app.run("two");
  assertEquals(offers(app), ["run_code", "one by one"]);
});

Deno.test("C1 L2 allowed tools bound what code may call; none of them is no tool at all", async () => {
  const reads = [code('print(Object.keys(tools)); await tools.bash("true")')];
  await using app = await TemporaryAgent.open(
    [{ calls: reads }, { text: "ok" }, { calls: reads }, { text: "ok" }],
    {},
    CODE_MODE,
  );
  await app.run("go", { allowedTools: ["FS_READ", "tape.info"] });
  assertEquals(offers(app), ["run_code", "run_code"]);
  const { kind, message, details } = JSON.parse(firstResults(app)[0] ?? "");
  assertEquals([kind, details.output], ["tool", '["fs_read", "tape_info"]\n']);
  assertMatch(message, /ToolError: unknown tool "bash".*known tools: fs_read, tape_info/);
  await app.run("go", { allowedTools: [] });
  assertEquals(offers(app).slice(2), ["", ""]);
  const refused = JSON.parse(String(messages(app.server.requests[3]?.body ?? {}).at(-1)?.content));
  assertMatch(refused.message, /unknown tool "run_code".*none/);
  assert(!system(app, 2).includes("declare const tools"));
});

Deno.test("C1 S3 deferred tools are names in the prompt until code has described them", async () => {
  const clock = defineTool({
    name: "clock.read",
    description: "Tells the time.\nAt length.",
    exposure: "deferred",
    parameters: (z) => z.object({ city: z.string() }),
    run: ({ city }) => `noon in ${city}`,
  });
  const load = 'print((await tools.tool_describe({names: ["clock_read"]})).tools[0].parameters); ';
  const read = 'try { print(await tools.clock_read("Rome")) } catch (e) { print(e.message) }';
  const script = [{ calls: [code(load + read)] }, { calls: [code(read)] }];
  await using app = await TemporaryAgent.open(
    (_, n) => script[n] ?? { text: "ok" },
    {},
    { ...CODE_MODE, tools: [clock] },
  );
  await app.run("go");
  assert(!system(app).includes("clock_read(args") && !system(app).includes("At length"));
  assertStringIncludes(system(app), "- clock_read: Tells the time.");
  assertEquals(system(app, 2), system(app), "within a turn the prompt stays as it was");
  const [first = "", second] = messages(app.server.requests[2]?.body ?? {})
    .filter(({ role }) => role === "tool").map(({ content }) => String(content));
  assertMatch(first, /^\{"type": "object".*\n.*clock_read is not loaded; call tool_describe/);
  assertEquals(second, "noon in Rome\n");
  await app.run("again");
  assertStringIncludes(system(app, 3), "clock_read(args: {city: string})");
  assert(!system(app, 3).includes("- clock_read"), "once it is declared");
});

Deno.test("C1 in code mode the model is told to call from code what reads skills and long results", async () => {
  const long = code('print("x".repeat(1e5))');
  const answers = (_: unknown, n: number) => n % 2 === 0 ? { calls: [long] } : { text: "ok" };
  await using app = await TemporaryAgent.open(answers, {}, CODE_MODE);
  await app.run("go");
  assertStringIncludes(system(app), "read it: tools.skill(name) returns its text.");
  assertMatch(firstResults(app)[0] ?? "", /: tools\.spill_read reads it, handle [0-9a-f]{32}/);
});

Deno.test("C1 a tool whose name is no word is called in brackets", async () => {
  const odd = defineTool({
    name: "my-tool",
    description: "",
    parameters: (z) => z.object({}),
    run: () => "",
  });
  const script = [{ calls: [call("my-tool")] }, { text: "ok" }];
  await using app = await TemporaryAgent.open(script, {}, { ...CODE_MODE, tools: [odd] });
  await app.run("go");
  const { message } = JSON.parse(firstResults(app)[0] ?? "");
  assertStringIncludes(message, 'await tools["my-tool"]({...})');
});

Deno.test("C1 L2 run_code alone among the allowed tools is code without tools", async () => {
  await using app = await TemporaryAgent.open(
    [
      { calls: [code("print(Object.keys(tools).length)")] },
      { text: "ok" },
    ],
    {},
    CODE_MODE,
  );
  await app.run("go", { allowedTools: ["run_code"] });
  assertEquals([offers(app)[0], firstResults(app)[0]], ["run_code", "0\n"]);
  assertStringIncludes(system(app), "Its code can call no others.");
});

Deno.test("H2 the hook systemPrompt sees the declarations as the section tools", async () => {
  const seen: string[] = [];
  const plugin = {
    name: "watch",
    hooks: {
      systemPrompt: (_: unknown, sections: readonly { name: string; text: string }[]) => {
        seen.push(...sections.filter(({ name }) => name === "tools").map(({ text }) => text));
        return sections.filter(({ name }) => name !== "tools");
      },
    },
  };
  await using app = await TemporaryAgent.open(ok, {}, { ...CODE_MODE, plugins: [plugin] });
  await app.run("hi");
  assertEquals(seen.length, 1);
  assertStringIncludes(seen[0] ?? "", "declare const tools: {");
  assert(!system(app).includes("declare const tools"));
});

Deno.test("C1 A4 subagents inherit code mode, within their scope", async () => {
  const listing = { calls: [code("print(Object.keys(tools).join())")] };
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        { calls: [code('await tools.subagent({prompt: "child", allowed_tools: ["fs_read"]})')] },
        { text: "done" },
      ],
      child: [listing, (request) => ({ text: `I have ${toolResults(request)[0]}` })],
    }),
    {},
    CODE_MODE,
  );
  const { tasks, output } = await app.run("go");
  assertEquals(output, "done");
  assertEquals([tasks[0]?.status, tasks[0]?.output], ["completed", "I have fs_read\n"]);
  assertMatch(tasks[0]?.parent_call_id ?? "", /^call_\d+\/1$/);
  const bare = await app.run(",subagent.wait");
  assertEquals(bare.error, null);
});

Deno.test("C1 a subagent that a text command starts is in the session's mode too", async () => {
  await using app = await TemporaryAgent.open(ok);
  await app.run(",code_mode true");
  await app.run(",subagent child");
  await app.event(({ type }) => type === "subagent.finished");
  assertEquals(offers(app), ["run_code"]);
});

Deno.test("C1 the tape tells which tools a turn had", async () => {
  await using app = await TemporaryAgent.open(ok);
  await app.run("one");
  await app.run(",code_mode true");
  await app.run("two");
  const starts = (await app.tape()).filter(({ payload }) => payload.name === "loop.start");
  const had = starts.map(({ payload: { data } }) => (data as { tools: string[] }).tools);
  const has = (n: number, name: string) => had[n]?.includes(name);
  assertEquals([has(0, "run_code"), has(0, "attach_image"), has(0, "fs.read")], [
    false,
    false,
    true,
  ]);
  assertEquals([has(1, "run_code"), has(1, "attach_image"), has(1, "fs.read")], [true, true, true]);
});

Deno.test("A4 what only code may call is nothing a subagent can be given outside code mode", async () => {
  const asked = { prompt: "child", allowed_tools: ["attach_image"] };
  await using app = await TemporaryAgent.open([
    {
      calls: [call("subagent", asked), call("subagent", { ...asked, allowed_tools: ["run_code"] })],
    },
    { text: "ok" },
  ]);
  await app.run("go");
  for (const text of firstResults(app)) {
    assertMatch(JSON.parse(text).message, /allowed_tools: "\w+" is not among this turn's tools/);
    assert(!/there are: .*(run_code|attach)/.test(text));
  }
});
