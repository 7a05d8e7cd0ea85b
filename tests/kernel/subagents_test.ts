import type { BubEvent } from "../../lib/event.ts";
import { isJsonObject } from "../../lib/json.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { call, messages, offered, scriptBy, starts, toolResults, userTexts } from "./subagent_script.ts";
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
  const names = [...Deno.readDirSync(`${app.home}/tapes`)].map(({ name }) => name);
  assertEquals(names.filter((name) => name.endsWith(".jsonl")).length, 1, names.join());
});

Deno.test("debug outline", async () => {
  await using app = await TemporaryAgent.open(scriptBy({
    go: [starts({ prompt: "child" }), { text: "done" }],
    child: [{ text: "one" }],
  }));
  await app.run("go");
  console.log(outline(await app.tape()).join("\n"));
  console.log(app.server.requests[0]!.size, offered(app.server.requests[1]!), messages(app.server.requests[1]!.body).length);
  assertStringIncludes("a", "a");
  call("x");
});
