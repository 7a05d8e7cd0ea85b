import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { Answer } from "../provider/answer.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

const OVERFLOW: Answer = {
  status: 400,
  body: {
    error: {
      message: "This model's maximum context length is 8192 tokens.",
      code: "context_length_exceeded",
    },
  },
};
const AUTO = "auto_handoff/context_overflow";

const call = (name: string, args: Record<string, string | boolean>) => ({
  calls: [{ name, arguments: args }],
});

/** Role and content of the messages of the nth request, less the system prompt. */
function said(app: TemporaryAgent, n: number): [string, unknown][] {
  const { messages } = app.server.requests[n]?.body as {
    messages: { role: string; content: unknown }[];
  };
  return messages.slice(1).map(({ role, content }) => [role, content]);
}

/** The entries from the last one so outlined on. */
function since(entries: string[], mark: string): string[] {
  return entries.slice(entries.lastIndexOf(mark));
}

Deno.test("TP11 B34 a context that is too long is handed off once, and the prompt is sent again", async () => {
  await using app = await TemporaryAgent.open([{ text: "one" }, OVERFLOW, { text: "two" }]);
  await app.run("first");
  const result = await app.run("second");
  assertEquals([result.status, result.output, result.steps], ["ok", "two", 1]);
  assertEquals(said(app, 1), [["user", "first"], ["assistant", "one"], ["user", "second"]]);
  assertEquals(said(app, 2), [["user", "second"]]);
  const tape = await app.tape();
  assertEquals(since(outline(tape), "event:loop.step.start"), [
    "event:loop.step.start",
    `anchor:${AUTO}`,
    "event:handoff",
    "message:user",
    "message:assistant",
    "event:run",
    "event:loop.step",
  ]);
  const anchor = tape.findLast(({ kind }) => kind === "anchor");
  assert(isJsonObject(anchor?.payload.state));
  assertMatch(String(anchor.payload.state.summary), /^[A-Z][^\n]*maximum context length[^\n]*\.$/);
  const retries = app.events.filter(({ type }) => type === "retry");
  assertEquals(retries.length, 1);
});

Deno.test("TP11 B34 a second overflow ends the turn with a clear error, and the next turn works", async () => {
  await using app = await TemporaryAgent.open([OVERFLOW, OVERFLOW, { text: "back" }]);
  const result = await app.run("too much");
  assertEquals([result.status, result.error?.kind], ["error", "context_overflow"]);
  assertStringIncludes(result.error?.message ?? "", "still too long after an automatic handoff");
  assertStringIncludes(result.error?.message ?? "", "maximum context length");
  assertEquals(app.server.requests.length, 2);
  const anchors = (await app.tape()).filter(({ payload }) => payload.name === AUTO);
  assertEquals(anchors.length, 1);
  assertEquals((await app.run("go on")).output, "back");
});

Deno.test("TP11 a turn is handed off once, however many steps lie between", async () => {
  await using app = await TemporaryAgent.open([
    OVERFLOW,
    call("bash", { command: "echo hi" }),
    OVERFLOW,
  ]);
  const result = await app.run("go");
  assertEquals([result.error?.kind, result.steps], ["context_overflow", 2]);
  assertEquals(app.server.requests.length, 3);
});

Deno.test("TP11 an overflow in a later step says the turn's prompt again", async () => {
  await using app = await TemporaryAgent.open([
    call("bash", { command: "echo hi" }),
    OVERFLOW,
    { text: "done" },
  ]);
  const result = await app.run("say hi");
  assertEquals([result.status, result.output], ["ok", "done"]);
  const [[role, content] = ["", ""], ...others] = said(app, 2);
  assertEquals(others, []);
  assertEquals(role, "user");
  assertMatch(String(content), /^say hi\n\n\[This turn has been going on/);
  assertMatch(String(content), /on the session's tape, unless that has been reset\.\]$/);
  assertEquals((await app.tape()).filter(({ kind }) => kind === "anchor").length, 2);
});

Deno.test("TP11 B34 other limits are no overflow", async () => {
  const refusals = ["max_tokens must be <= 8192", "image exceeds 5 MB maximum"];
  for (const message of refusals) {
    await using app = await TemporaryAgent.open(() => ({
      status: 400,
      body: { error: { message } },
    }));
    const result = await app.run("go");
    assertEquals(result.error?.kind, "model", message);
    assert((await app.tape()).every(({ payload }) => payload.name !== AUTO), message);
  }
});

Deno.test("TP9 TP4 a handoff of the model moves the context, its own step comes after the anchor", async () => {
  await using app = await TemporaryAgent.open([
    call("bash", { command: "echo hi" }),
    call("tape_handoff", { name: "phase-1", summary: "said hi" }),
    { text: "done" },
    { text: "again" },
  ]);
  assertEquals((await app.run("work")).output, "done");
  // The summary is in the call; the user's words would be gone, so they are said again.
  const roles = said(app, 2).map(([role]) => role);
  assertEquals(roles, ["assistant", "tool", "user"]);
  assertEquals(said(app, 2)[1]?.[1], "anchor added: phase-1");
  assertStringIncludes(String(said(app, 2)[2]?.[1]), "work");
  assertEquals(since(outline(await app.tape()), "anchor:phase-1").slice(0, 6), [
    "anchor:phase-1",
    "event:handoff",
    "tool_call",
    "tool_result",
    "event:run",
    "event:loop.step",
  ]);
  await app.run("more");
  assertEquals(said(app, 3).at(-1), ["user", "more"]);
});

Deno.test("TP10 B47 a reset by the model in mid-turn finishes cleanly", async () => {
  await using app = await TemporaryAgent.open([
    call("bash", { command: "echo hi" }),
    call("tape_reset", { archive: true }),
    { text: "all new" },
    { text: "next" },
  ]);
  const result = await app.run("forget this");
  assertEquals([result.status, result.output], ["ok", "all new"]);
  const tape = await app.tape();
  assertEquals(outline(tape), [
    "anchor:session/start",
    "tool_call",
    "tool_result",
    "event:run",
    "event:loop.step",
    "event:loop.step.start",
    "system",
    "message:user",
    "message:user",
    "message:assistant",
    "event:run",
    "event:loop.step",
  ]);
  assertEquals(tape.map(({ id }) => id), tape.map((_, index) => index + 1));
  assertEquals((await app.run("and now")).output, "next");
});

Deno.test("TP10 B47 B42 a reset by a command while a turn runs finishes cleanly too", async () => {
  let reset: Promise<unknown> = Promise.resolve();
  await using app = await TemporaryAgent.open(async (_request, n) => {
    if (n > 0) return { text: "done" };
    reset = app.run(",tape.reset archive=true");
    await reset;
    return call("bash", { command: "echo hi" });
  });
  const result = await app.run("work");
  assertEquals([result.status, result.output], ["ok", "done"]);
  const entries = outline(await app.tape());
  assertEquals(entries.slice(0, 2), ["anchor:session/start", "event:command"]);
  assertEquals(entries.filter((entry) => entry === "tool_call").length, 1);
  assertEquals(entries.filter((entry) => entry === "tool_result").length, 1);
  assertEquals(said(app, 1).map(([role]) => role), ["user", "assistant", "tool"]);
});
