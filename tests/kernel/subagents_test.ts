import type { BubEvent } from "../../lib/event.ts";
import { isJsonObject } from "../../lib/json.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { call, offered, scriptBy, starts, toolResults, userTexts } from "./subagent_script.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

type EventOf<T extends BubEvent["type"]> = Extract<BubEvent, { type: T }>;

/** The events of one type so far. */
function told<T extends BubEvent["type"]>(app: TemporaryAgent, type: T): EventOf<T>[] {
  return app.events.filter((event): event is EventOf<T> => event.type === type);
}

function notified(texts: readonly string[]): string[] {
  return texts.filter((text) => text.startsWith("<subagent-notification"));
}

Deno.test("A1 A6 subagent returns at once, and the run goes on with its notification", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "child\nsecond line" }), { text: "waiting" }, { text: "all done" }],
    "child\nsecond line": [{ text: "a <b> & c" }],
  }));
  const result = await app.run("go");
  assertEquals([result.status, result.output, result.steps], ["ok", "all done", 3]);
  const parent = app.server.requests.filter((request) => userTexts(request)[0] === "go");
  const started = toolResults(parent[1]!)[0];
  assert(isJsonObject(started));
  const { task_id, session_id, status, output, errors } = started;
  assertMatch(String(task_id), /^sub-[0-9a-f]{8}$/);
  assertEquals([session_id, status, output, errors], [`temp/${task_id}`, "running", "", []]);
  const last = app.server.requests.at(-1)!;
  assertEquals(notified(userTexts(last)), [
    `<subagent-notification task_id="${task_id}" status="completed">\n` +
    "a &lt;b&gt; &amp; c\n</subagent-notification>",
  ]);
  const [task] = result.tasks;
  assertEquals([task?.description, task?.status, task?.output, task?.steps], [
    "child",
    "completed",
    "a <b> & c",
    1,
  ]);
  assert(task !== undefined && task.usage.total_tokens > 0);
  const own = told(app, "step.end").reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  assertEquals(result.usage.total_tokens, own + task.usage.total_tokens);
});

Deno.test("A3 temp and fork leave nothing on disk", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "child" }, { prompt: "forked", session: "fork" }), { text: "done" }],
    child: [{ text: "one" }],
  }));
  await app.run("go");
  const names = await Array.fromAsync(Deno.readDir(`${app.home}/tapes`), ({ name }) => name);
  assertEquals(names.filter((name) => name.endsWith(".jsonl")).length, 1, names.join());
});

Deno.test("A2 agent names a profile; what the call leaves open comes from it, else from the parent", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts(
        { prompt: "one", agent: "quick" },
        { prompt: "two", agent: "quick", model: "openai-compatible:own", description: "mine" },
        { prompt: "three" },
        { prompt: "four", agent: "nobody" },
      ),
      { text: "done" },
    ],
    "*": [{ text: "ok" }],
  }));
  await Deno.writeTextFile(
    `${app.home}/config.jsonc`,
    JSON.stringify({
      subagents: {
        quick: {
          description: "fast",
          model: "openai-compatible:small",
          reasoning_effort: "low",
          allowed_tools: ["fs.read"],
        },
      },
    }),
  );
  const agent = await app.another({ flags: { reasoningEffort: "high" } });
  const result = await agent.session("cli:local").run("go", {
    signal: new AbortController().signal,
  });
  assertEquals(result.status, "ok");
  const asked = (prompt: string) => {
    const request = app.server.requests.find((each) => userTexts(each)[0] === prompt)!;
    return [request.body.model, request.body.reasoning_effort, offered(request).length];
  };
  assertEquals(asked("one"), ["small", "low", 1]);
  assertEquals(asked("two"), ["own", "low", 1]);
  const [model, effort] = asked("three");
  assertEquals([model, effort], ["scripted", "high"]);
  assertEquals(result.tasks.map(({ description, profile }) => [description, profile]), [
    ["fast", "quick"],
    ["mine", "quick"],
    ["three", null],
  ]);
  const refused = toolResults(app.server.requests.findLast((r) => userTexts(r)[0] === "go")!)[3];
  assert(isJsonObject(refused));
  assertMatch(String(refused.message), /"nobody"; there are quick$/);
});

Deno.test("A4 B53 tools are the parent's or fewer; subagent is always left out; none for []", async () => {
  const write = call("fs_write", { path: "made", content: "x" });
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts(
        { prompt: "all", allowed_tools: null },
        { prompt: "named", allowed_tools: ["FS_read", "subagent", "Subagent.wait"] },
        { prompt: "none", allowed_tools: [] },
        { prompt: "more", allowed_tools: ["fs.write", "bash"] },
        { prompt: "unknown", allowed_tools: ["fs.raed"] },
        { prompt: "skills", allowed_skills: ["nothing-like-it"] },
      ),
      { text: "done" },
    ],
    all: [{ calls: [write, call("subagent", { prompt: "grandchild" })] }, { text: "tried" }],
    "*": [{ text: "ok" }],
  }));
  const result = await app.run("go", { allowedTools: ["fs.read", "subagent", "subagent.wait"] });
  assertEquals([result.status, result.tasks.length], ["ok", 3]);
  const tools = (prompt: string) =>
    offered(app.server.requests.find((each) => userTexts(each)[0] === prompt)!);
  assertEquals([tools("all"), tools("named"), tools("none")], [["fs_read"], ["fs_read"], []]);
  const parent = app.server.requests.filter((request) => userTexts(request)[0] === "go");
  const results = toolResults(parent[1]!).slice(3);
  const kinds = results.map((each) => isJsonObject(each) ? each.kind : each);
  assertEquals(kinds, ["invalid_input", "invalid_input", "invalid_input"]);
  assertStringIncludes(
    JSON.stringify(results[0]),
    '\\"fs.write\\" is not among this turn\'s tools',
  );
  assertStringIncludes(JSON.stringify(results[1]), "did you mean fs_read?");
  const child = app.server.requests.filter((request) => userTexts(request)[0] === "all").at(-1)!;
  for (const denied of toolResults(child)) {
    assert(isJsonObject(denied));
    assertEquals(denied.kind, "unknown_tool");
  }
  const made = await Array.fromAsync(Deno.readDir(app.workspace), ({ name }) => name);
  assert(!made.includes("made"));
});

Deno.test("A3 fork has the parent's tape with the running step's prompt; nothing goes back", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    earlier: [
      { text: "noted" },
      { calls: [call("bash", { command: "echo seen" })] },
      starts({ prompt: "look", session: "inherit" }),
      (request) => userTexts(request).at(-1) === "look" ? { text: "I saw it" } : { text: "parent" },
    ],
  }));
  await app.run("earlier");
  const result = await app.run("now");
  assertEquals([result.status, result.tasks[0]?.output], ["ok", "I saw it"]);
  assertMatch(result.tasks[0]?.session_id ?? "", /^fork\/sub-/);
  const child = app.server.requests.find((request) => userTexts(request).includes("look"))!;
  assertEquals(userTexts(child), ["earlier", "now", "look"]);
  assertEquals(toolResults(child), ["seen\n"]);
  const own = (await app.tape()).filter(({ payload }) => payload.content === "look");
  assertEquals(own, []);
});

Deno.test("A3 fork in the first step of a turn has the prompt of that step", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "look", session: "fork" }),
      { text: "done" },
    ],
    "go\n\nlook": [{ text: "knows" }],
  }));
  const result = await app.run("go");
  assertEquals(result.tasks[0]?.output, "knows");
});

Deno.test("A3 A8 a kept session has a tape and goes on with subagent.send, in a later process too", async () => {
  let id = "";
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "begin", session: "notes", allowed_tools: ["fs.read", "bash"] }),
      (request) => {
        id = String((toolResults(request)[0] as { task_id: string }).task_id);
        return { text: "waiting" };
      },
      () => ({ calls: [call("subagent_send", { task_id: id, message: "go on" })] }),
      { text: "waiting" },
      { text: "done" },
      () => ({ calls: [call("subagent_send", { task_id: id, message: "again" })] }),
      { text: "waiting" },
      { text: "really done" },
    ],
    begin: [(request) => ({ text: `heard ${userTexts(request).join("|")}` })],
  }));
  const result = await app.run("go");
  assertEquals(result.tasks.map(({ output }) => output), [
    "heard begin",
    "heard begin|go on",
  ]);
  assert(result.tasks[0]?.task_id !== result.tasks[1]?.task_id);
  const later = await app.another();
  const second = await later.session("cli:local").run("next", {
    signal: new AbortController().signal,
    allowedTools: ["fs.read", "fs.write", "subagent", "subagent.send"],
  });
  assertEquals(second.tasks[0]?.output, "heard begin|go on|again");
  const child = app.server.requests.findLast((request) => userTexts(request)[0] === "begin")!;
  assertEquals(offered(child), ["fs_read"]);
  assertEquals(
    outline(await app.tape("notes")).filter((kind) => kind === "message:user").length,
    3,
  );
});

Deno.test("A3 a session that is the caller's own, busy, or discarded is an error that says so", async () => {
  const gate = Promise.withResolvers<void>();
  let ended = "";
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "quick" }),
      (request) => {
        ended = String((toolResults(request)[0] as { task_id: string }).task_id);
        return { text: "waiting" };
      },
      () => ({
        calls: [
          call("subagent", { prompt: "slow", session: "notes" }),
          call("subagent", { prompt: "x", session: "notes" }),
          call("subagent", { prompt: "x", session: "cli:local" }),
          call("subagent_send", { task_id: ended, message: "more" }),
          call("subagent_wait", { task_ids: ["sub-00000000"] }),
        ],
      }),
      () => {
        gate.resolve();
        return { text: "waiting" };
      },
      { text: "done" },
    ],
    slow: [async () => {
      await gate.promise;
      return { text: "slow" };
    }],
    "*": [{ text: "quick" }],
  }));
  const result = await app.run("go");
  assertEquals(result.output, "done");
  const parent = app.server.requests.findLast((request) => userTexts(request)[0] === "go")!;
  const errors = toolResults(parent).slice(2).map((each) =>
    String((each as { message: string }).message)
  );
  assertMatch(errors[0] ?? "", /"notes" has an unfinished task/);
  assertMatch(errors[1] ?? "", /another session than the caller's own/);
  assertMatch(errors[2] ?? "", /its session temp\/sub-\w+ was discarded/);
  assertMatch(errors[3] ?? "", /no task "sub-00000000" of this session; known tasks: sub-/);
});

Deno.test("A8 B51 what subagent.wait returned is not notified again; 0 only looks; cancel keeps the text", async () => {
  const heard = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "fast" }, { prompt: "hangs" }),
      { calls: [call("subagent_wait", { timeout_seconds: 0 })] },
      async (request) => {
        await heard.promise;
        const [, hanging] = toolResults(request) as { task_id: string }[];
        return { calls: [call("subagent_cancel", { task_id: hanging!.task_id })] };
      },
      (request) => {
        const [fast, hanging] = toolResults(request) as { task_id: string }[];
        const ids = [fast!.task_id, hanging!.task_id];
        return {
          calls: [
            call("subagent_wait", { task_ids: ids, timeout_seconds: 30 }),
            call("subagent_cancel", { task_id: ids[0] }),
          ],
        };
      },
      { text: "done" },
    ],
    fast: [{ text: "fast" }],
    hangs: [{ text: "so far", end: "hang" }],
  }));
  const waits = app.event((event) => {
    if (event.type !== "subagent.output" || event.event.type !== "text") return false;
    return event.event.text === "so far";
  }).then(() => heard.resolve());
  const result = await app.run("go");
  await waits;
  assertEquals(result.status, "ok");
  const parent = app.server.requests.findLast((request) => userTexts(request)[0] === "go")!;
  const results = toolResults(parent) as Record<string, unknown>[];
  assert(Array.isArray(results[2]));
  assertEquals([results[3]?.status, results[3]?.output], ["cancelled", "so far"]);
  const [fast, hanging] = results[4] as unknown as Record<string, unknown>[];
  assertEquals([fast?.status, fast?.output, hanging?.status], ["completed", "fast", "cancelled"]);
  assertEquals(results[5]?.status, "completed");
  assertMatch(String(results[5]?.note), /had ended as completed/);
  const texts = notified(userTexts(parent));
  assert(texts.length <= 2 && new Set(texts).size === texts.length, texts.join());
});
