import type { BubEvent } from "../../lib/event.ts";
import type { JsonObject } from "../../lib/json.ts";
import { tapeName } from "../../lib/tape/name.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { call, messages, scriptBy, starts, toolResults, userTexts } from "./subagent_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

type Told = Extract<BubEvent, { readonly task: unknown }>;

function aboutTasks(events: readonly BubEvent[]): Told[] {
  return events.filter((event): event is Told => event.type.startsWith("subagent."));
}

Deno.test("A10 the events carry task and state; a handler that throws is logged and harms nobody", async () => {
  const seen: string[] = [];
  await using app = await TemporaryAgent.open(
    scriptBy({ go: [starts({ prompt: "child" }), { text: "done" }], child: [{ text: "hi" }] }),
    {},
    {
      plugins: [{
        name: "watcher",
        hooks: { loadState: ({ sessionId }) => ({ turn: sessionId, shared: "parent's" }) },
        events: {
          "subagent.started": () => {
            throw new Error("handler broke");
          },
          "subagent.finished": ({ task }) => void seen.push(task.status),
        },
      }],
    },
  );
  const result = await app.run("go");
  assertEquals([result.status, result.output], ["ok", "done"]);
  assertEquals(seen, ["completed"]);
  assertMatch(app.warnings.join(), /subagent\.started.*handler broke/);
  const told = aboutTasks(app.events);
  assertEquals(told.at(0)?.type, "subagent.started");
  assertEquals(told.at(-1)?.type, "subagent.finished");
  const inner = told.flatMap((event) => event.type === "subagent.output" ? [event.event] : []);
  assertEquals(inner.map(({ type }) => type), [
    "turn.start",
    "step.start",
    "text",
    "step.end",
    "result",
  ]);
  for (const { session_id, task, state } of told) {
    assertEquals([session_id, state.turn], ["cli:local", "cli:local"]);
    assertEquals(Object.keys(task).sort(), [
      "created_at",
      "description",
      "errors",
      "finished_at",
      "model",
      "output",
      "parent_call_id",
      "parent_session_id",
      "profile",
      "session_id",
      "started_at",
      "status",
      "steps",
      "task_id",
      "tool_calls",
      "usage",
    ]);
  }
  assert(inner.every(({ session_id }) => session_id === told[0]?.task.session_id));
  assertEquals(told[0]?.task.parent_call_id, "call_1");
});

Deno.test("A5 a child's turn has a copy of its parent's state", async () => {
  const states: JsonObject[] = [];
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [starts({ prompt: "child" }), { text: "waiting" }, { text: "done" }],
      child: [{ text: "hi" }],
    }),
    {},
    {
      plugins: [{
        name: "states",
        hooks: {
          loadState: ({ sessionId }) => ({ from: sessionId, [sessionId.slice(0, 4)]: true }),
          continuePrompt: ({ state }) => void (state.late = true),
          saveState: ({ state }) => void states.push({ ...state }),
        },
      }],
    },
  );
  await app.run("go");
  const [child, parent] = states;
  assertEquals(child, { from: "cli:local", "cli:": true, temp: true });
  assertEquals(parent, { from: "cli:local", "cli:": true, late: true });
});

Deno.test("A5 steering for the parent stays with the parent, what is sent to the child reaches the child", async () => {
  const go = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let id = "";
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "child", session: "fork" }),
      async (request) => {
        id =
          /"task_id":"(sub-\w+)"/.exec(JSON.stringify(messages(request.body)).replaceAll("\\", ""))
            ?.[1] ?? "";
        await asked.promise;
        return { calls: [call("subagent_send", { task_id: id, message: "for the child" })] };
      },
      () => {
        go.resolve();
        return { text: "waiting" };
      },
      { text: "done" },
    ],
    "go\n\nchild": [
      async () => {
        asked.resolve();
        await go.promise;
        return { calls: [call("tape_anchors")] };
      },
      (request) => ({ text: userTexts(request).join("|") }),
    ],
  }));
  app.agent.events.subscribe((event) => {
    if (event.type === "subagent.started") app.session().steer("for the parent");
  });
  const result = await app.run("go");
  assertEquals(result.tasks[0]?.output, "go\n\nchild|for the child");
  const heard = userTexts(app.server.requests.at(-1)!);
  assertStringIncludes(heard.join("|"), "for the parent");
  assert(!heard.includes("for the child"));
});

Deno.test("A8 what reaches a child after its last step is read in one more turn", async () => {
  const sent: string[] = [];
  const open: { app?: TemporaryAgent } = {};
  // The end of a turn waits for this hook: the last step is over, the task is not.
  const saveState = async ({ sessionId }: { readonly sessionId: string }) => {
    const [kind, id] = sessionId.split("/");
    if (kind !== "temp" || sent.length > 0) return;
    const result = await open.app?.run(`,subagent.send ${id} "one more"`);
    sent.push(result?.output ?? "");
  };
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [starts({ prompt: "child" }), { text: "waiting" }, { text: "done" }],
      child: [(request) => ({ text: userTexts(request).join("|") })],
    }),
    {},
    { plugins: [{ name: "late", hooks: { saveState } }] },
  );
  open.app = app;
  const result = await app.run("go");
  const [task] = result.tasks;
  assertMatch(sent[0] ?? "", /"status": "running"/);
  assertEquals([task?.status, task?.steps, task?.output], ["completed", 2, "child|one more"]);
});

Deno.test("A1 a prompt may be a list of content parts, and is never a command or empty", async () => {
  const png = "data:image/png;base64,iVBORw0KGgo=";
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts(
        {
          prompt: [{ type: "text", text: "Look\nclosely" }, {
            type: "image_url",
            image_url: { url: png },
          }],
        },
        { prompt: ",help" },
        { prompt: "  " },
      ),
      { text: "waiting" },
    ],
    "*": [{ text: "seen" }],
  }));
  const result = await app.run("go");
  assertEquals(result.tasks.map(({ description, output }) => [description, output]), [
    ["Look", "seen"],
    [",help", "seen"],
  ]);
  const child = app.server.requests.find((each) => userTexts(each)[0]?.startsWith("Look"))!;
  assertStringIncludes(JSON.stringify(child.body.messages), png);
});

Deno.test("A4 S2 allowed_skills [] turns skills off", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "with" }, { prompt: "without", allowed_skills: [] }, {
        prompt: "one",
        allowed_skills: ["BUB"],
      }),
      { text: "done" },
    ],
    "*": [{ text: "ok" }],
  }));
  await app.run("go");
  const knows = (prompt: string) => {
    const request = app.server.requests.find((each) => userTexts(each)[0] === prompt)!;
    const system = messages(request.body).find(({ role }) => role === "system")?.content;
    return /How to use bub/.test(String(system));
  };
  assertEquals([knows("with"), knows("without"), knows("one")], [true, false, true]);
});

Deno.test("A2 the prompt tells the profiles to who can start subagents", async () => {
  await using app = await TemporaryAgent.open(() => ({ text: "ok" }));
  await Deno.writeTextFile(
    `${app.home}/config.jsonc`,
    JSON.stringify({ subagents: { reviewer: { description: "Reviews changes" } } }),
  );
  const agent = await app.another();
  const { signal } = new AbortController();
  await agent.session("a").run("hi", { signal });
  await agent.session("b").run("hi", { signal, allowedTools: ["bash"] });
  const told = app.server.requests.map(({ body }) =>
    JSON.stringify(body.messages).includes("- reviewer: Reviews changes")
  );
  assertEquals(told, [true, false]);
});

Deno.test("A7 M2 a concurrency of 1 never hangs: kept sessions, waits and sends included", async () => {
  let id = "";
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        starts({ prompt: "a", session: "kept" }, { prompt: "b" }, { prompt: "c", session: "fork" }),
        (request) => {
          id = /"task_id":"(sub-\w+)"/.exec(
            JSON.stringify(messages(request.body)).replaceAll("\\", ""),
          )?.[1] ?? "";
          return { calls: [call("subagent_wait", { timeout_seconds: 60 })] };
        },
        () => ({
          calls: [
            call("subagent_send", { task_id: id, message: "again" }),
            call("subagent_wait", { timeout_seconds: 60 }),
            call("subagent", { prompt: "d" }),
          ],
        }),
        { text: "done" },
      ],
      "*": [{ text: "ok" }],
    }),
    { BUB_SUBAGENT_MAX_CONCURRENCY: "1" },
  );
  const result = await app.run("go");
  assertEquals([result.status, result.tasks.length], ["ok", 5]);
  assert(result.tasks.every(({ status }) => status === "completed"));
});

Deno.test("A6 subagents of a text command go on after it, and their results open the next turn", async () => {
  await using app = await TemporaryAgent.open(scriptBy({ "*": [{ text: "found it" }] }));
  const ended = app.event(({ type }) => type === "subagent.finished");
  const started = await app.run(`,subagent "look" description=mine`);
  assertMatch(started.output, /"status": "running"/);
  await ended;
  await app.run("and?");
  assertMatch(userTexts(app.server.requests.at(-1)!).join("|"), /found it[\s\S]*and\?/);
  await app.run("more");
  const texts = userTexts(app.server.requests.at(-1)!).join("|");
  assertEquals(texts.split("found it").length, 2);
});

Deno.test("A3 A7 a session with a turn under way is an error at once, not a wait for it", async () => {
  const release = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    busy: [async () => {
      began.resolve();
      await release.promise;
      return { text: "ok" };
    }],
    go: [starts({ prompt: "x", session: "other" }), { text: "done" }],
  }));
  const other = app.session("other").run("busy", { signal: new AbortController().signal });
  await began.promise;
  const result = await app.run("go");
  assertEquals([result.output, result.tasks.length], ["done", 0]);
  assertMatch(JSON.stringify(app.server.requests.at(-1)!.body), /has a turn under way/);
  release.resolve();
  assertEquals((await other).status, "ok");
});

Deno.test("A6 a turn without a step left does not wait; what comes then opens the next turn", async () => {
  const release = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "child" }), { text: "waiting" }, { text: "thanks" }],
    child: [async () => {
      await release.promise;
      return { text: "found" };
    }],
  }));
  const ended = app.event(({ type }) => type === "subagent.finished");
  const result = await app.run("go", { maxSteps: 2 });
  assertEquals([result.status, result.error?.kind], ["error", "max_steps"]);
  release.resolve();
  await ended;
  await app.run("next");
  assertMatch(userTexts(app.server.requests.at(-1)!).join("|"), /found[\s\S]*next/);
});

Deno.test("A8 B51 a result that subagent.wait has returned is told by no message, then or later", async () => {
  const release = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "child" }),
      () => {
        release.resolve();
        return { calls: [call("subagent_wait")] };
      },
      { text: "done" },
    ],
    child: [async () => {
      await release.promise;
      return { text: "found" };
    }],
  }));
  const result = await app.run("go");
  assertEquals([result.output, result.steps], ["done", 3]);
  await app.run("next");
  const later = await app.another();
  await later.session("cli:local").run("once more", { signal: new AbortController().signal });
  const texts = app.server.requests.flatMap((request) => userTexts(request)).join("|");
  assert(!texts.includes("subagent-notification"), texts);
});

Deno.test("A8 what a queued subagent is told comes after its prompt", async () => {
  const release = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        starts({ prompt: "first" }, { prompt: "second" }),
        (request) => {
          const [, second] = toolResults(request) as { task_id: string }[];
          const task_id = second?.task_id ?? "";
          return { calls: [call("subagent_send", { task_id, message: "and this" })] };
        },
        () => {
          release.resolve();
          return { text: "waiting" };
        },
        { text: "done" },
      ],
      first: [async () => {
        await release.promise;
        return { text: "1" };
      }],
      "second\n\nand this": [{ text: "2" }],
    }),
    { BUB_SUBAGENT_MAX_CONCURRENCY: "1" },
  );
  const { status, tasks } = await app.run("go");
  assertEquals([status, tasks[1]?.output], ["ok", "2"]);
});

Deno.test("A3 tape.info of a discarded session has a name of its own", async () => {
  const child = [{ calls: [call("tape_info")] }, { text: "done" }];
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "temp", session: "Temp" }, { prompt: "fork", session: "INHERIT" }),
      { text: "done" },
    ],
    temp: child,
    "go\n\nfork": child,
  }));
  const names = new Map<string, unknown>();
  app.agent.events.subscribe((event) => {
    if (event.type !== "subagent.output" || event.event.type !== "tool.end") return;
    names.set(event.task.session_id, JSON.parse(event.event.output).name);
  });
  const { tasks } = await app.run("go");
  assertEquals(tasks.map(({ session_id }) => session_id.split("/")[0]), ["temp", "fork"]);
  assertEquals(names.size, 2);
  for (const [id, name] of names) assertEquals(name, tapeName(app.workspace, id));
});

Deno.test("A2 A4 A8 mistakes name the parameter, the profile and the tool", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      {
        calls: [
          call("subagent_send", { task_id: "sub-0", message: " " }),
          call("subagent", { prompt: "x", allowed_tools: ["quit"] }),
        ],
      },
      { text: "done" },
    ],
  }));
  await app.run("go");
  const [send, tools] = toolResults(app.server.requests.at(-1)!).map((each) =>
    JSON.stringify(each)
  );
  assertStringIncludes(send ?? "", "message must say something");
  assertStringIncludes(tools ?? "", "is not among this turn's tools");
});
