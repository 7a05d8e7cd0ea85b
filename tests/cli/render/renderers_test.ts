import { ChatRenderer } from "../../../lib/cli/render/chat.ts";
import { JsonRenderer } from "../../../lib/cli/render/json.ts";
import type { Renderer } from "../../../lib/cli/render/renderer.ts";
import { StreamJsonRenderer } from "../../../lib/cli/render/stream_json.ts";
import { TextRenderer } from "../../../lib/cli/render/text.ts";
import type { EventBody, TurnResult } from "../../../lib/event.ts";
import { NO_USAGE } from "../../../lib/model/usage.ts";
import type { TaskRecord } from "../../../lib/subagent/port.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { Paper, PaperConsole } from "../paper.ts";

const EVENTS: readonly EventBody[] = [
  { type: "turn.start", prompt: "hi", model: "a:b" },
  { type: "step.start", step: 1 },
  { type: "reasoning", step: 1, text: "hm" },
  { type: "text", step: 1, text: "Let me " },
  { type: "text", step: 1, text: "look" },
  { type: "tool.start", step: 1, call_id: "1", name: "bash", arguments: { command: "ls" } },
  {
    type: "tool.end",
    step: 1,
    call_id: "1",
    name: "bash",
    status: "ok",
    elapsed_ms: 5,
    output: "a\nb\n",
  },
  { type: "step.end", step: 1, status: "continue", elapsed_ms: 9, usage: null },
  { type: "step.start", step: 2 },
  { type: "text", step: 2, text: "voi" },
  { type: "retry", step: 2, attempt: 2, delay_ms: 1500, reason: "rate limit" },
  { type: "warning", message: "careful" },
  { type: "text", step: 2, text: "Two \x1b[2Jfiles" },
  { type: "step.end", step: 2, status: "ok", elapsed_ms: 9, usage: null },
];

const RESULT: TurnResult = {
  session_id: "s",
  output: "Two \x1b[2Jfiles",
  status: "ok",
  steps: 2,
  usage: NO_USAGE,
  tasks: [],
  error: null,
};

const FAILED: TurnResult = {
  ...RESULT,
  status: "error",
  error: { kind: "auth", message: "refused", details: { output: "what it said" } },
};

/** What a renderer makes of the events and a result. */
async function render(
  make: (console: PaperConsole) => Renderer,
  { result = RESULT, console = new PaperConsole() }: {
    result?: TurnResult;
    console?: PaperConsole;
  },
) {
  const renderer = make(console);
  for (const event of EVENTS) renderer.onEvent({ session_id: "s", ...event });
  renderer.onEvent({ session_id: "other", type: "warning", message: "not ours" });
  renderer.onEvent({ type: "result", ...result });
  await renderer.finish(result);
  await console.flush();
  return { out: console.out.text, err: console.err.text };
}

const text = (verbosity: number) => (console: PaperConsole) =>
  new TextRenderer(console, "s", verbosity);

Deno.test("L2 text: the answer alone on standard output, the way there on standard error", async () => {
  assertEquals(await render(text(0), {}), {
    out: "Two \x1b[2Jfiles\n",
    err: [
      "Let me look",
      "bash command=ls  ok, 5 ms",
      "rate limit; trying again in 1.5 s (2)",
      "bub: careful",
      "",
    ].join("\n"),
  });
});

Deno.test("L2 text: -q leaves the warnings, -v adds reasoning, results and usage", async () => {
  assertEquals((await render(text(-1), {})).err, "bub: careful\n");
  const { err } = await render(text(1), {});
  for (const part of ["model a:b", "hm", "bash command=ls …", "  a\n  b\n", "2 steps, 0 tokens"]) {
    assertStringIncludes(err, part);
  }
});

Deno.test("B71 text: a failed turn leaves standard output empty", async () => {
  const { out, err } = await render(text(0), { result: FAILED });
  assertEquals(out, "");
  assertStringIncludes(err, "what it said\nbub: refused\n");
});

Deno.test("B74 text: on a terminal the answer's control codes are shown", async () => {
  const console = new PaperConsole({ out: new Paper(true) });
  assertEquals((await render(text(0), { console })).out, "Two ␛[2Jfiles\n");
});

Deno.test("T7 text: the output of a command stays as it is, and ends its line on a terminal", async () => {
  const command = { ...RESULT, steps: 0, output: "" };
  for (const [terminal, expected] of [[false, "a\r"], [true, "a\n\n"]] as const) {
    const console = new PaperConsole({ out: new Paper(terminal) });
    const renderer = new TextRenderer(console, "s", 0);
    await renderer.write("a");
    await renderer.write("\r");
    await renderer.finish(command);
    assertEquals(console.out.text, expected);
  }
});

Deno.test("L2 json: one object; the error has kind and message only", async () => {
  const json = (console: PaperConsole) => new JsonRenderer(console, "s", 0);
  const { out, err } = await render(json, { result: FAILED });
  assertEquals(JSON.parse(out).error, { kind: "auth", message: "refused" });
  assertStringIncludes(err, "bash command=ls  ok, 5 ms\n");
  assertStringIncludes(err, "bub: refused\n");
});

Deno.test("L2 stream-json: every event with its type, one result at the end, quiet beside it", async () => {
  const stream = (console: PaperConsole) => new StreamJsonRenderer(console, "s", 0);
  const { out, err } = await render(stream, {});
  const lines = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.slice(0, -2), EVENTS.map((event) => ({ session_id: "s", ...event })));
  assertEquals(lines.at(-1), { type: "result", ...RESULT });
  assertEquals(lines.filter(({ type }) => type === "result").length, 1);
  assertEquals(err, "bub: careful\n");
});

Deno.test("chat: answers stream to one side, one line a call to the other", async () => {
  const make = (console: PaperConsole) =>
    new ChatRenderer(
      { answers: console.stdout, notes: console.stderr, isInteractive: false, setBusy() {} },
      "s",
      0,
    );
  assertEquals(await render(make, {}), {
    out: "Let me look\nvoi\nTwo \x1b[2Jfiles\n",
    err: [
      "bash command=ls  ok, 5 ms",
      "rate limit; trying again in 1.5 s (2)",
      "bub: careful",
      "",
    ].join("\n"),
  });
});

Deno.test("C4 text and chat: calls that code makes stand indented above the line of run_code", async () => {
  const call = { step: 1, call_id: "1", name: "run_code" };
  const inner = { step: 1, call_id: "1/1", parent_call_id: "1", name: "bash" };
  const ok = { status: "ok", elapsed_ms: 5, output: "a" } as const;
  const events: readonly EventBody[] = [
    { ...call, type: "tool.start", arguments: { code: "…" } },
    { ...inner, type: "tool.start", arguments: "ls" },
    { ...inner, type: "tool.end", ...ok },
    { ...call, type: "tool.end", ...ok },
  ];
  const chat = ({ stdout: answers, stderr: notes }: PaperConsole) =>
    new ChatRenderer({ answers, notes, isInteractive: false, setBusy() {} }, "s", 0);
  for (const make of [text(0), chat]) {
    const console = new PaperConsole();
    const renderer = make(console);
    for (const event of events) renderer.onEvent({ session_id: "s", ...event });
    await console.flush();
    assertEquals(console.err.text, '  bash "ls"  ok, 5 ms\nrun_code code=…  ok, 5 ms\n');
  }
});

Deno.test("L3 chat: a call that takes longer than a second has a line before it ends", async () => {
  const console = new PaperConsole();
  const written = Promise.withResolvers<void>();
  const notes = {
    write(text: string) {
      written.resolve();
      return console.stderr.write(text);
    },
    safe: (text: string) => text,
    paint: (_: string, text: string) => text,
  };
  const port = { answers: console.stdout, notes, isInteractive: true, setBusy() {} };
  const renderer = new ChatRenderer(port, "s", 0);
  const call = { session_id: "s", step: 1, call_id: "1", name: "bash" };
  renderer.onEvent({ ...call, type: "tool.start", arguments: { command: "make" } });
  await written.promise;
  renderer.onEvent({ ...call, type: "tool.end", status: "ok", elapsed_ms: 1500, output: "" });
  await console.flush();
  assertEquals(console.err.text, "bash command=make …\nbash command=make  ok, 1.5 s\n");
});

Deno.test("A10 L2 what a model calls a subagent is one line on a terminal, without control codes", async () => {
  const NO_COLOR = { NO_COLOR: "1" };
  const console = new PaperConsole({ err: new Paper(true), env: NO_COLOR });
  const renderer = new TextRenderer(console, "s", 0);
  const task: TaskRecord = {
    task_id: "sub-1",
    session_id: "temp/sub-1",
    status: "running",
    output: "",
    errors: [],
    parent_session_id: "s",
    parent_call_id: "c",
    description: "Read\r\n\x1b[2Jthe\u2028logs\x9b",
    model: "a:b",
    profile: null,
    usage: NO_USAGE,
    steps: 0,
    tool_calls: 0,
    created_at: "",
    started_at: null,
    finished_at: null,
  };
  renderer.onEvent({ session_id: "s", type: "subagent.started", task, state: {} });
  renderer.onEvent({ session_id: "s", type: "subagent.finished", task, state: {} });
  await console.flush();
  const label = "subagent sub-1 (Read ␛[2Jthe logs\\x9b)";
  assertEquals(console.err.text, `${label} started\n${label} running\n`);
});
