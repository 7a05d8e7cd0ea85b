import { BubError } from "../../lib/errors.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import type { ToolHooks } from "../../lib/tool/hooks.ts";
import { MediaOutput, StreamedOutput } from "../../lib/tool/output.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { defineTool, type ToolContext } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { attach, edit, fail, info, quit, read } from "./sample_tools.ts";
import { Workbench } from "./workbench.ts";

const REGISTRY = new ToolRegistry([read, edit, info, fail, quit, attach]);

/** A tool that returns what it is given, as a plugin without types could. */
function returning(value: unknown) {
  return defineTool({
    name: "give",
    description: "Gives.",
    parameters: (z) => z.object({}),
    run: () => value as JsonValue,
  });
}

/** A tool that runs until it is stopped, and when it has begun. */
function waiting() {
  const started = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits until it is stopped.",
    parameters: (z) => z.object({}),
    run: (_, { signal }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      started.resolve();
      return promise;
    },
  });
  return { tool, started: started.promise };
}

function kindOf(value: JsonValue): unknown {
  return isJsonObject(value) ? value.kind : undefined;
}

Deno.test("T3 B24 executeCall() runs a tool without parameters whatever stands for no arguments", async () => {
  await using bench = await Workbench.open(REGISTRY);
  for (const raw of ["", "null", null, undefined, "  ", "{}"]) {
    const result = await bench.call("tape_info", raw);
    assertEquals(result.text, '{"name":"x","args":{}}', String(raw));
    assertEquals(result.value, { name: "x", args: {} });
    assertEquals([result.status, result.name, result.callId], ["ok", "tape.info", "call_1"]);
  }
});

Deno.test("T1 T3 B28 each bad call of a step fails alone with its own error", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const results = await Promise.all([
    bench.call("fs.read", '{"path":"ok.txt"}'),
    bench.call("fs.read", '{"path": '),
    bench.call("no_such_tool", "{}"),
    bench.call("fs.read", "[1]"),
    bench.call("fs.read", "null"),
    bench.call("", "{}"),
    bench.call("fs.raed", "not even JSON"),
  ]);
  assertEquals(
    results.map(({ status, value }) => status === "ok" ? status : kindOf(value)),
    [
      "ok",
      "invalid_input",
      "unknown_tool",
      "invalid_input",
      "invalid_input",
      "unknown_tool",
      "unknown_tool",
    ],
  );
  assertEquals(results[0]?.value, { path: "ok.txt", offset: 0, limit: null });
  assertStringIncludes(results[2]?.text ?? "", "known tools: fs_read, fs_edit");
  assertStringIncludes(results[4]?.text ?? "", "path must be text, got nothing");
  assertStringIncludes(results[6]?.text ?? "", "did you mean fs_read or fs_edit?");
  assertEquals(results[6]?.name, "fs.raed");
});

Deno.test("T1 tools that are not for this caller are unknown to it", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const as = (caller: ToolContext["caller"]) => ({ context: { ...bench.context, caller } });
  assertEquals(kindOf((await bench.call("quit", "{}")).value), "unknown_tool");
  assertEquals(kindOf((await bench.call("quit", "{}", as("code"))).value), "unknown_tool");
  assertEquals((await bench.call("quit", "{}", as("command"))).text, "bye");
  assertEquals(kindOf((await bench.call("attach_image", "{}")).value), "unknown_tool");
  assertEquals((await bench.call("attach_image", "{}", as("code"))).text, "attached");
  assert(!(await bench.call("x", "{}")).text.includes("quit"));
});

Deno.test("T5 a result is text as it is, or the compact JSON of a value", async () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const cases: [output: unknown, text: string, value: JsonValue][] = [
    ["two\nlines\n", "two\nlines\n", "two\nlines\n"],
    ["", "(empty)", ""],
    [undefined, "(empty)", ""],
    [null, "null", null],
    [0, "0", 0],
    [false, "false", false],
    [[], "[]", []],
    [{ a: [1, "x"], b: undefined }, '{"a":[1,"x"]}', { a: [1, "x"] }],
    [{ n: 2n ** 64n }, '{"n":"18446744073709551616"}', { n: "18446744073709551616" }],
    [new Date(0), '"1970-01-01T00:00:00.000Z"', "1970-01-01T00:00:00.000Z"],
  ];
  for (const [output, text, value] of cases) {
    await using bench = await Workbench.open(new ToolRegistry([returning(output)]));
    const result = await bench.call("give", "{}");
    assertEquals([result.status, result.text, result.value], ["ok", text, value]);
  }
  for (const output of [cycle, () => 1, Symbol("s")]) {
    await using bench = await Workbench.open(new ToolRegistry([returning(output)]));
    const result = await bench.call("give", "{}");
    assertEquals(result.status, "error");
    assertMatch(
      result.text,
      /^\{"kind":"tool","message":"the tool returned what JSON cannot carry/,
    );
  }
});

Deno.test("T5 a result keeps its media and its whole output apart from the text", async () => {
  const data = new Uint8Array([1, 2]);
  const media = [{ mediaType: "image/png", data, label: "image/png, 2 bytes, a.png" }];
  await using bench = await Workbench.open(
    new ToolRegistry([returning(new MediaOutput("", media))]),
  );
  const seen = await bench.call("give", "{}");
  assertEquals([seen.text, seen.media], ["image/png, 2 bytes, a.png", media]);

  const streamed = new StreamedOutput("head … tail", async function* () {
    yield "all of it";
  });
  await using other = await Workbench.open(new ToolRegistry([returning(streamed)]));
  const long = await other.call("give", "{}");
  assertEquals([long.text, long.value, long.output], ["head … tail", "head … tail", streamed]);
});

Deno.test("T5 a failure is the JSON of its report, with the output there was", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const result = await bench.call("fail", "{}");
  assertEquals(result.status, "error");
  assertEquals(
    result.text,
    '{"kind":"tool","message":"command exited with code 3","details":{"output":"so far\\n"}}',
  );
  assertEquals(result.value, JSON.parse(result.text));
});

Deno.test("T3 whatever a tool throws is the result of its call", async () => {
  const circular: Record<string, JsonValue> = {};
  Object.assign(circular, { circular });
  const thrown = [
    new TypeError("odd"),
    "a string",
    undefined,
    new Deno.errors.NotCapable(
      'Requires read access to "/x", run again with the --allow-read flag',
    ),
    new BubError("tool", "odd", { details: circular }),
    Object.create(null),
  ];
  const expected = ["tool", "tool", "tool", "permission", "tool", "tool"];
  for (const [index, error] of thrown.entries()) {
    const tool = { ...returning(""), run: () => Promise.reject(error) };
    await using bench = await Workbench.open(new ToolRegistry([tool]));
    const result = await bench.call("give", "{}");
    assertEquals([result.status, kindOf(result.value)], ["error", expected[index]]);
  }
});

Deno.test("T8 hooks before see every call, the last registered first, and may change its arguments", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const seen: string[] = [];
  const hook = (name: string): ToolHooks => ({
    beforeToolCall: ({ tool, args, context }) => {
      seen.push(`${name} ${tool.name} ${args.path} ${context.callId}`);
      return { action: "proceed", args: { ...args, path: `${args.path}+${name}` } };
    },
  });
  const result = await bench.call("fs_read", '{"path":"a"}', { hooks: [hook("1"), hook("2")] });
  assertEquals(seen, ["2 fs.read a call_1", "1 fs.read a+2 call_1"]);
  assertEquals(result.value, { path: "a+2+1", offset: 0, limit: null });
});

Deno.test("T8 arguments that a hook changed are checked, those it mended run", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const setting = (args: Record<string, JsonValue>): ToolHooks => ({
    beforeToolCall: () => ({ action: "proceed", args }),
  });
  const broken = await bench.call("fs_read", '{"path":"a"}', { hooks: [setting({ path: 5 })] });
  assertStringIncludes(broken.text, "path must be text, got 5");
  const mended = await bench.call("fs_read", '{"file":"a"}', { hooks: [setting({ path: "a" })] });
  assertEquals(mended.status, "ok");
});

Deno.test("T8 a hook may replace or deny a call; the tool and the hooks left do not run", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const first: ToolHooks = {
    beforeToolCall: () => {
      throw new Error("must not be asked");
    },
  };
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const replace: ToolHooks = {
    beforeToolCall: () => ({ action: "replace", result: { from: "hook" } }),
  };
  const replaced = await bench.call("fail", "{}", { hooks: [first, replace], warn });
  assertEquals([replaced.status, replaced.value], ["ok", { from: "hook" }]);
  const deny: ToolHooks = { beforeToolCall: () => ({ action: "deny", message: "not on Sundays" }) };
  const denied = await bench.call("fs_read", '{"path":"a"}', { hooks: [first, deny], warn });
  assertEquals(denied.text, '{"kind":"permission","message":"not on Sundays"}');
  assertEquals(warnings, []);
});

Deno.test("T8 hooks after see every result, failures and denials too, and may replace it", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const seen: string[] = [];
  const watch: ToolHooks = {
    afterToolCall: (_, { status, text }) => void seen.push(`${status} ${text}`),
  };
  const replace: ToolHooks = { afterToolCall: () => ({ action: "replace", result: "better" }) };
  const deny: ToolHooks = { beforeToolCall: () => ({ action: "deny", message: "no" }) };
  const result = await bench.call("fail", "{}", { hooks: [watch, replace] });
  assertEquals([result.status, result.text, result.name], ["ok", "better", "fail"]);
  await bench.call("fs_edit", '{"path":"a","old":"b"}', { hooks: [watch] });
  await bench.call("fs_edit", '{"path":"a"}', { hooks: [watch] });
  await bench.call("tape_info", "{}", { hooks: [deny, watch] });
  assertEquals(seen, [
    "ok better",
    "ok a: b",
    'error {"kind":"invalid_input","message":"bad arguments for fs.edit: old must be text, got nothing"}',
    'error {"kind":"permission","message":"no"}',
  ]);
});

Deno.test("T8 H2 a hook that throws or answers nonsense is logged and skipped; only a decision denies", async () => {
  await using bench = await Workbench.open(REGISTRY);
  const warnings: string[] = [];
  const broken: ToolHooks = {
    name: "guard",
    beforeToolCall: () => Promise.reject(new Error("before broke")),
    afterToolCall: () => {
      throw new Error("after broke");
    },
  };
  const nonsense = {
    beforeToolCall: () => ({ action: "allow" }),
    afterToolCall: () => ({ action: 1 }),
  } as unknown as ToolHooks;
  const result = await bench.call("tape_info", "{}", {
    hooks: [broken, nonsense],
    warn: (message) => void warnings.push(message),
  });
  assertEquals(result.status, "ok");
  assertEquals(warnings, [
    'the hook beforeToolCall failed for tape.info and was skipped: expected a decision with a known action, got { action: "allow" }',
    "the hook beforeToolCall of guard failed for tape.info and was skipped: before broke",
    "the hook afterToolCall failed for tape.info and was skipped: expected a decision with a known action, got { action: 1 }",
    "the hook afterToolCall of guard failed for tape.info and was skipped: after broke",
  ]);
});

Deno.test("T3 M5 an aborted call ends with an error that says why", async () => {
  for (
    const [reason, kind] of [
      [undefined, "interrupted"],
      [new DOMException("over", "TimeoutError"), "timeout"],
      [new BubError("interrupted", "the session was closed"), "interrupted"],
      ["SIGINT", "interrupted"],
    ] as const
  ) {
    const turn = new AbortController();
    const { tool, started } = waiting();
    const tools = new ToolRegistry([tool, info]);
    await using bench = await Workbench.open(tools, { signal: turn.signal });
    const call = bench.call("wait", "{}");
    await started;
    turn.abort(reason);
    const result = await call;
    assertEquals([result.status, kindOf(result.value)], ["error", kind]);
    assertEquals(kindOf((await bench.call("tape_info", "{}")).value), kind, "not even started");
  }
});

Deno.test("M5 T8 once the turn is over no call begins, and no hook is asked", async () => {
  await using bench = await Workbench.open(REGISTRY, { signal: AbortSignal.abort() });
  let asked = 0;
  const hook: ToolHooks = { beforeToolCall: () => void asked++, afterToolCall: () => void asked++ };
  const result = await bench.call("tape_info", "{}", { hooks: [hook] });
  assertEquals([kindOf(result.value), asked], ["interrupted", 0]);
});

Deno.test("M5 a tool that ignores its signal does not hold the turn", async () => {
  const never = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const deaf = { ...returning(""), run: () => (started.resolve(), never.promise) };
  const turn = new AbortController();
  await using bench = await Workbench.open(new ToolRegistry([deaf]), { signal: turn.signal });
  const call = bench.call("give", "{}");
  await started.promise;
  turn.abort();
  const result = await call;
  assertEquals(kindOf(result.value), "interrupted");
  assert(result.elapsedMs >= 1_900, "it had its grace");
  never.resolve("too late");
});

Deno.test("M5 an aborted tool that hands over what it has within the grace is heard", async () => {
  const started = Promise.withResolvers<void>();
  const polite = defineTool({
    name: "give",
    description: "Gives what it has when it is stopped.",
    parameters: (z) => z.object({}),
    run: async (_, { signal }) => {
      const stopped = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => stopped.resolve(), { once: true });
      started.resolve();
      await stopped.promise;
      throw new BubError("interrupted", "stopped", { details: { output: "half" } });
    },
  });
  const turn = new AbortController();
  await using bench = await Workbench.open(new ToolRegistry([polite]), { signal: turn.signal });
  const call = bench.call("give", "{}");
  await started.promise;
  turn.abort();
  assertEquals(
    (await call).text,
    '{"kind":"interrupted","message":"stopped","details":{"output":"half"}}',
  );
});
