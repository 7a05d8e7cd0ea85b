import type { BubEvent } from "../../lib/event.ts";
import { readSession } from "../../lib/kernel/session_settings.ts";
import type { TaskRecord } from "../../lib/subagent/port.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { tapeName } from "../../lib/tape/name.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { call, scriptBy, starts, userTexts } from "./subagent_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const NEVER = new AbortController().signal;

/** The notifications in all that the model was sent, each with how often it is on the tape. */
async function delivered(app: TemporaryAgent): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind, payload } of await app.tape()) {
    if (kind !== "message" || payload.role !== "user") continue;
    const id = /^<subagent-notification task_id="([^"]+)"/.exec(String(payload.content))?.[1];
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function finished(events: readonly BubEvent[]): TaskRecord[] {
  return events.flatMap((event) => event.type === "subagent.finished" ? [event.task] : []);
}

async function unread(app: TemporaryAgent): Promise<readonly string[]> {
  const store = new FileTapeStore(`${app.home}/tapes`);
  const tape = new Tape(store, tapeName(app.workspace, "cli:local"));
  return (await readSession(tape)).unread.map(({ content }) => content);
}

Deno.test("A6 B49 results that end while the parent works, and after, are delivered once, in order", async () => {
  const release = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const ends: string[] = [];
  const hold = defineTool({
    name: "hold",
    description: "Ends when three of the subagents have.",
    parameters: (z) => z.object({}),
    async run() {
      for (const n of [2, 0, 1]) {
        release[n]?.resolve();
        await next(n);
      }
      return "held";
    },
  });
  const next = (n: number) =>
    app.event((event) => {
      if (event.type !== "subagent.finished" || event.task.description !== `c${n}`) return false;
      ends.push(event.task.task_id);
      return true;
    });
  const child = (n: number) => [async () => {
    await release[n]?.promise;
    return { text: `result ${n}` };
  }];
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        starts({ prompt: "c0" }, { prompt: "c1" }, { prompt: "c2" }, { prompt: "c3" }),
        { calls: [call("hold")] },
        () => {
          release[3]?.resolve();
          return { text: "nothing more to do" };
        },
        { text: "done" },
      ],
      c0: child(0),
      c1: child(1),
      c2: child(2),
      c3: child(3),
    }),
    {},
    { tools: [hold] },
  );
  const result = await app.run("go");
  assertEquals([result.status, result.output, result.tasks.length], ["ok", "done", 4]);
  const counts = await delivered(app);
  assertEquals([...counts.values()], [1, 1, 1, 1]);
  assertEquals([...counts.keys()].slice(0, 3), ends.slice(0, 3));
  assertEquals(await unread(app), []);
});

Deno.test("A9 B54 a child that fails says why: refused key, no steps left, start-up, empty text", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "refused" }, { prompt: "empty" }, { prompt: "breaks" }),
      { text: "waiting" },
      { text: "waiting" },
      { text: "waiting" },
      { text: "done" },
    ],
    refused: [{ status: 401, body: { error: { message: "wrong key" } } }],
    empty: [{ text: "" }],
    breaks: [{ text: "half", error: { message: "the model broke", code: "x" } }],
  }));
  const result = await app.run("go");
  assertEquals(result.status, "ok");
  const [refused, empty, breaks] = result.tasks;
  assertEquals([refused?.status, empty?.status, breaks?.status], [
    "failed",
    "completed",
    "failed",
  ]);
  assertEquals(refused?.errors.length, 1);
  assertEquals([breaks?.output, breaks?.errors.length], ["half", 1]);
  const told = app.server.requests.findLast((each) => userTexts(each)[0] === "go")!;
  const notices = userTexts(told).join("\n");
  assertMatch(notices, /status="failed">\n[^\n]*wrong key/);
  assertMatch(notices, /status="completed">\n\(empty\)\n</);
  assertMatch(notices, /broke[^\n]*\nhalf\n<\/subagent/);
});

Deno.test("A9 B54 a child that runs out of steps has failed", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "busy" }), { text: "waiting" }, { text: "done" }],
    busy: [{ text: "still at it", calls: [call("tape_info")] }],
  }));
  const result = await app.run("go", { maxSteps: 3 });
  const [task] = result.tasks;
  assertEquals([result.status, task?.status, task?.steps], ["ok", "failed", 3]);
  assertMatch(task?.errors[0] ?? "", /not done after 3 steps/);
});

Deno.test("A2 B54 the time limit counts from leaving the queue and leaves what was said", async () => {
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        starts(
          { prompt: "hangs", timeout_seconds: 0.3 },
          { prompt: "queued", timeout_seconds: 30 },
        ),
        { text: "waiting" },
        { text: "waiting" },
        { text: "done" },
      ],
      hangs: [{ text: "so far", end: "hang" }],
      queued: [{ text: "fine" }],
    }),
    { BUB_SUBAGENT_MAX_CONCURRENCY: "1" },
  );
  const result = await app.run("go");
  const [slow, queued] = result.tasks;
  assertEquals([slow?.status, slow?.output, slow?.errors], [
    "failed",
    "so far",
    ["time limit of 0.3 s"],
  ]);
  assertEquals([queued?.status, queued?.output], ["completed", "fine"]);
  assert(String(queued?.started_at) >= String(slow?.finished_at));
});

Deno.test("A6 B49 results of a run that failed open the next turn, once, in a later process too", async () => {
  const end = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    go: [
      starts({ prompt: "slow" }),
      { status: 400, body: { error: { message: "no" } } },
      { text: "thanks" },
      { text: "nothing new" },
    ],
    slow: [async () => {
      await end.promise;
      return { text: "late result" };
    }],
  }));
  const failed = await app.run("go");
  assertEquals([failed.status, failed.tasks[0]?.status], ["error", "running"]);
  const ended = app.event(({ type }) => type === "subagent.finished");
  end.resolve();
  await ended;
  await app.agent.close();
  assertEquals((await unread(app)).length, 1);
  const later = await app.another();
  assertEquals((await later.session("cli:local").run("next", { signal: NEVER })).output, "thanks");
  const again = await app.another();
  await again.session("cli:local").run("once more", { signal: NEVER });
  assertEquals([...(await delivered(app)).values()], [1]);
  assertStringIncludes(userTexts(app.server.requests.at(-2)!).join(), "late result");
});

Deno.test("A6 A9 P6 B72 the end of the program cancels children and their processes, and says so on the tape", async () => {
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [
        starts({ prompt: "shell" }, { prompt: "waits" }),
        { status: 400, body: { error: { message: "no" } } },
      ],
      shell: [{ text: "starting", calls: [call("bash", { command: "echo $$ > pid; sleep 600" })] }],
      waits: [{ text: "part", end: "hang" }],
    }),
    { BUB_SUBAGENT_MAX_CONCURRENCY: "1" },
  );
  const runs = app.event((event) =>
    event.type === "subagent.output" && event.event.type === "tool.start"
  );
  await app.run("go");
  await runs;
  await pidFile(app);
  await app.agent.close();
  const pid = Number(await Deno.readTextFile(`${app.workspace}/pid`));
  assertEquals(isAlive(pid), false);
  const [first, second] = await unread(app);
  assertMatch(first ?? "", /status="cancelled">\nstarting\n/);
  assertMatch(second ?? "", /status="cancelled">\n\(empty\)\n/);
});

Deno.test("A9 P6 an interrupted turn cancels its subagents and their processes", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "shell" }), { text: "waiting" }],
    shell: [{ calls: [call("bash", { command: "echo $$ > pid; sleep 600" })] }],
  }));
  const stop = new AbortController();
  const running = app.run("go", { signal: stop.signal });
  await app.event((event) => event.type === "subagent.output" && event.event.type === "tool.start");
  await pidFile(app);
  stop.abort();
  const result = await running;
  assertEquals([result.status, result.tasks[0]?.status], ["interrupted", "cancelled"]);
  assertEquals(isAlive(Number(await Deno.readTextFile(`${app.workspace}/pid`))), false);
  assertEquals((await unread(app)).length, 1);
});

Deno.test("A9 SC5 quit cancels running and queued subagents of its session", async () => {
  await using app = await TemporaryAgent.open(
    scriptBy({
      go: [starts({ prompt: "one" }, { prompt: "two" }), { text: "waiting" }],
      "*": [{ text: "x", end: "hang" }],
    }),
    { BUB_SUBAGENT_MAX_CONCURRENCY: "1" },
  );
  const running = app.run("go");
  await app.event((event) => event.type === "subagent.output" && event.event.type === "text");
  const { output } = await app.run(",quit");
  assertMatch(output, /1 running turn, 2 subagents/);
  const result = await running;
  assertEquals(result.tasks.map(({ status }) => status), ["cancelled", "cancelled"]);
});

Deno.test("A9 P6 background shells of a temp subagent end with it", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "shell" }), { text: "waiting" }, { text: "done" }],
    shell: [
      { calls: [call("bash", { command: "echo $$ > pid; sleep 600", background: true })] },
      async () => {
        await pidFile(app);
        return { text: "left it running" };
      },
    ],
  }));
  const result = await app.run("go");
  assertEquals(result.tasks[0]?.output, "left it running");
  assertEquals(isAlive(Number(await Deno.readTextFile(`${app.workspace}/pid`))), false);
});

Deno.test("A7 A6 B49 100 subagents, 8 at a time, each delivered exactly once", async () => {
  let running = 0;
  let most = 0;
  const prompts = Array.from({ length: 100 }, (_, n) => ({ prompt: `child ${n}` }));
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts(...prompts), { text: "more" }],
    "*": [{ text: "ok" }],
  }));
  app.agent.events.subscribe(({ type }) => {
    if (type === "subagent.started") most = Math.max(most, ++running);
    if (type === "subagent.finished") running--;
  });
  const result = await app.run("go");
  assertEquals([result.status, most, result.tasks.length], ["ok", 8, 100]);
  const counts = await delivered(app);
  assertEquals([counts.size, Math.max(...counts.values())], [100, 1]);
  assertEquals(finished(app.events).length, 100);
});

Deno.test("A8 A9 300 subagents cancelled at the moment of completion have one end and one notice each", async () => {
  const prompts = Array.from({ length: 300 }, (_, n) => ({ prompt: `child ${n}` }));
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts(...prompts), { text: "more" }],
    "*": [{ text: "ok" }],
  }));
  let n = 0;
  const asked: Promise<unknown>[] = [];
  app.agent.events.subscribe((event) => {
    // Now before, now after the end of the turn, by a few microtasks each.
    if (event.type !== "subagent.output" || event.event.type !== "step.end") return;
    const { task_id } = event.task;
    const command = () => asked.push(app.run(`,subagent.cancel ${task_id}`));
    let turns = n++ % 12;
    const later = () => turns-- > 0 ? queueMicrotask(later) : command();
    later();
  });
  const result = await app.run("go");
  await Promise.all(asked);
  assertEquals([result.status, result.tasks.length, asked.length], ["ok", 300, 300]);
  const ends = finished(app.events);
  assertEquals(new Set(ends.map(({ task_id }) => task_id)).size, ends.length);
  assertEquals(ends.length, 300);
  for (const end of ends) {
    const final = result.tasks.find(({ task_id }) => task_id === end.task_id);
    assertEquals(final?.status, end.status);
  }
  const counts = await delivered(app);
  assertEquals([counts.size, Math.max(...counts.values())], [300, 1]);
});

/** Resolves once the shell of a test has written its process id. */
async function pidFile(app: TemporaryAgent): Promise<void> {
  const path = `${app.workspace}/pid`;
  using watcher = Deno.watchFs(app.workspace);
  const isThere = () => {
    try {
      return Deno.readTextFileSync(path).endsWith("\n");
    } catch {
      return false;
    }
  };
  if (isThere()) return;
  for await (const _ of watcher) if (isThere()) return;
}

function isAlive(pid: number): boolean {
  assert(pid > 1);
  try {
    // Signal 0 only looks; a process that has ended and is not waited for yet counts as ended.
    const status = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return !/\) [ZX] /.test(status);
  } catch {
    return false;
  }
}

Deno.test("A6 A9 a task that another live process still runs is not taken for lost", async () => {
  const release = Promise.withResolvers<void>();
  await using app = await TemporaryAgent.open(scriptBy({
    slow: [async () => {
      await release.promise;
      return { text: "late" };
    }],
    "*": [{ text: "hi" }],
  }));
  await app.run(",subagent slow");
  const other = await app.another();
  const { status } = await other.session("cli:local").run("hello", { signal: NEVER });
  assertEquals([status, (await delivered(app)).size], ["ok", 0]);
  const ended = app.event(({ type }) => type === "subagent.finished");
  release.resolve();
  await ended;
  assertEquals((await app.run("more")).status, "ok");
  assertEquals([...(await delivered(app)).values()], [1]);
});
