import { EventBus } from "../../lib/event.ts";
import { SubagentManager, type TaskWork } from "../../lib/subagent/manager.ts";
import type { Task, TaskFacts } from "../../lib/subagent/task.ts";
import { assert, assertEquals } from "../assert.ts";

/** A manager that keeps a log of what its tasks do. */
class Bench {
  readonly log: string[] = [];
  readonly manager: SubagentManager;

  constructor(maxConcurrency: number) {
    const events = new EventBus();
    events.subscribe((event) => {
      if (event.type === "warning") this.log.push(event.message);
      if (event.type === "subagent.started" || event.type === "subagent.finished") {
        this.log.push(`${event.type.slice(9)} ${event.task.description} ${event.task.status}`);
      }
    });
    this.manager = new SubagentManager({ maxConcurrency, events });
  }

  start(name: string, work: Partial<TaskWork> = {}, facts: Partial<TaskFacts> = {}): Task {
    const id = this.manager.newId();
    return this.manager.start({
      id,
      sessionId: `temp/${id}`,
      parentSessionId: "parent",
      parentCallId: "call",
      description: name,
      model: "a:b",
      profile: null,
      keepsSession: false,
      timeoutSeconds: null,
      state: {},
      ...facts,
    }, {
      run: (task) => Promise.resolve(done(task, name)),
      release: () => Promise.resolve(void this.log.push(`released ${name}`)),
      deliver: () => Promise.resolve(void this.log.push(`delivered ${name}`)),
      ...work,
    });
  }
}

function done(task: Task, output: string): void {
  task.finish({
    session_id: task.facts.sessionId,
    output,
    status: "ok",
    steps: 1,
    usage: task.record.usage,
    tasks: [],
    error: null,
  });
}

/** Work that lasts until it is let go, or stopped. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { resolve, run: (task: Task) => promise.then(() => done(task, "held")) };
}

Deno.test("A7 so many tasks run at once, the others are queued and begin in their order", async () => {
  const bench = new Bench(2);
  const first = held();
  const second = held();
  const tasks = [
    bench.start("a", first),
    bench.start("b", second),
    bench.start("c"),
    bench.start("d"),
  ];
  assertEquals(tasks.map(({ status }) => status), ["running", "running", "queued", "queued"]);
  second.resolve();
  await tasks[3]?.ended;
  assertEquals(tasks.map(({ status }) => status), [
    "running",
    "completed",
    "completed",
    "completed",
  ]);
  first.resolve();
  await bench.manager.settled(tasks);
  const starts = bench.log.filter((line) => line.startsWith("started"));
  assertEquals(starts, ["a", "b", "c", "d"].map((name) => `started ${name} running`));
});

Deno.test("A8 A9 a cancelled task in the queue never starts, lets go once, and is delivered once", async () => {
  const bench = new Bench(1);
  const first = held();
  const running = bench.start("a", first);
  const queued = bench.start("b");
  assertEquals([queued.cancel(), queued.cancel(), queued.status], [true, false, "cancelled"]);
  first.resolve();
  await bench.manager.settled([running, queued]);
  assertEquals(bench.log.filter((line) => line.includes(" b")), [
    "finished b cancelled",
    "delivered b",
    "released b",
  ]);
});

Deno.test("A9 the slot of a cancelled task is free when its work has come to rest, not before", async () => {
  const bench = new Bench(1);
  const rest = Promise.withResolvers<void>();
  const stubborn = bench.start("a", { run: () => rest.promise });
  const next = bench.start("b");
  stubborn.cancel();
  assertEquals([stubborn.signal.aborted, stubborn.status, next.status], [
    true,
    "cancelled",
    "queued",
  ]);
  rest.resolve();
  await next.ended;
  assertEquals(bench.log.filter((line) => line.includes(" a")), [
    "started a running",
    "finished a cancelled",
    "delivered a",
    "released a",
  ]);
});

Deno.test("A9 B54 what a task throws fails it; what cannot be delivered or released is a warning", async () => {
  const bench = new Bench(1);
  const broken = () => Promise.reject(new Error("disk full"));
  const task = bench.start("a", {
    run: () => Promise.reject(new Error("no start")),
    deliver: broken,
    release: broken,
  });
  await bench.manager.settled([task]);
  assertEquals([task.status, task.record.errors], ["failed", ["no start"]]);
  assertEquals(bench.log.filter((line) => line.includes("disk full")).length, 2);
  assert(!bench.manager.isBusy(task.facts.sessionId));
  const after = bench.start("b");
  await after.ended;
  assertEquals(after.status, "completed");
});

Deno.test("A2 a limit past the longest timer is no limit, and none is left running", async () => {
  const bench = new Bench(1);
  const task = bench.start("a", {}, { timeoutSeconds: 1e9 });
  const other = bench.start("b", {}, { timeoutSeconds: 1000 });
  await bench.manager.settled([task, other]);
  assertEquals([task.status, other.status], ["completed", "completed"]);
});
