import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64 } from "../dot_png.ts";
import { appears } from "./appears.ts";
import { code, CODE_MODE, runCodes } from "./code_script.ts";
import { outline, TemporaryAgent } from "./temporary_agent.ts";

/** Counts how many of its calls are under way at once; holds them until there are so many. */
function gauge(expected: number) {
  const reached = Promise.withResolvers<void>();
  let now = 0;
  let most = 0;
  const tool = defineTool({
    name: "gauge",
    description: "Takes a moment.",
    parameters: (z) => z.object({}),
    async run() {
      most = Math.max(most, ++now);
      if (now === expected) reached.resolve();
      await reached.promise;
      now--;
      return now;
    },
  });
  return { tool, most: () => most };
}

Deno.test("C2 what the code printed is the result; calls give texts and values", async () => {
  const run = await runCodes([
    `await tools.fs_write({ path: "a.txt", content: "one\\ntwo\\n" });
     const text: string = await tools.fs_read("a.txt");
     print(text.length, (await tools.bash("printf é; exit 0")), (await tools.tape_info()).anchors);
     return "unseen";`,
    "print(1, { a: [2n] });\nconsole.log('x')",
    "const n = 5",
  ]);
  await using _app = run.app;
  assertEquals(run.results, [
    "8 é 1\n",
    '1 {"a": [2n]}\nx\n',
    "[the code printed nothing; only what print(…) was given is part of the result]\n",
  ]);
});

Deno.test("C2 a result with nothing in it says so, and one that shows media does not", async () => {
  const attach = `await tools.attach_image({ data: ${JSON.stringify(DOT_BASE64)} })`;
  const run = await runCodes([
    "await tools.tape_info()",
    "return await tools.tape_info()",
    "tools.bash('true')",
    attach,
  ]);
  await using _app = run.app;
  const unseen = "only what print(…) was given is part of the result]\n";
  assertEquals(run.results.slice(0, 3), [
    `[the code printed nothing; ${unseen}`,
    `[the code returned a value and printed nothing; ${unseen}`,
    `[not awaited: bash]\n[the code printed nothing; ${unseen}`,
  ]);
  assert(!run.results[3]?.includes("nothing"), run.results[3]);
});

Deno.test("C2 a failed call throws a ToolError with kind, message and details", async () => {
  const run = await runCodes([
    `try { await tools.fs_read("nope.txt"); } catch (e) {
       print(e instanceof ToolError, e.name, e.kind, e.message);
     }
     try { await tools.bash("echo out; exit 3"); } catch (e) { print(e.kind, e.details); }
     try { await tools.fs_raed("a"); } catch (e) { print(e.kind, e.message); }
     try { await tools.fs_read({ path: 5 }); } catch (e) { print(e.kind, e.message); }
     try { await tools.run_code("1"); } catch (e) { print(e.kind, e.message); }
     try { await tools.quit(); } catch (e) { print(e.kind, e.message.slice(0, 19)); }
     try { await tools.tape_info("a"); } catch (e) { print(e.kind, e.message); }`,
  ]);
  await using _app = run.app;
  const [text = ""] = run.results;
  const lines = text.split("\n");
  assertEquals(lines[0], "true ToolError not_found no such file or folder: nope.txt");
  assertEquals(lines[1], 'tool {"exit_code": 3, "output": "out\\n"}');
  assertMatch(lines[2] ?? "", /^unknown_tool unknown tool "fs_raed", did you mean fs_read, /);
  assertEquals(lines[3], "invalid_input bad arguments for fs.read: path must be text, got 5");
  assertMatch(lines[4] ?? "", /^unknown_tool code cannot call run_code/);
  assertEquals(lines[5], 'unknown_tool unknown tool "quit"');
  assertEquals(lines[6], 'invalid_input tape.info takes no arguments, got "a"');
});

Deno.test("C2 C3 an error of the code has what was printed as its output", async () => {
  const run = await runCodes(["print('so far');\nnull.x", "Deno.exit(0)", "import 'node:fs'"]);
  await using app = run.app;
  const reports = run.results.map((text) => JSON.parse(text));
  assertEquals(reports.map(({ kind }) => kind), ["tool", "tool", "tool"]);
  assertEquals(reports[0].details, { output: "so far\n" });
  assertMatch(reports[0].message, /line 2/);
  assertEquals(reports[1].details, undefined, "nothing was printed");
  const recorded = (await app.tape()).find(({ kind }) => kind === "tool_result");
  assertEquals(recorded?.meta.errors, [0, 1, 2]);
});

Deno.test("C2 C3 calls run in parallel, up to 32 at once", async () => {
  const { tool, most } = gauge(32);
  const many = "const calls = Array.from({ length: 100 }, () => tools.gauge()); " +
    "print((await Promise.all(calls)).length)";
  const run = await runCodes([many], { tools: [tool] });
  await using _app = run.app;
  assertEquals(run.results, ["100\n"]);
  assertEquals(most(), 32);
});

Deno.test("C3 B59 the time limit ends the code, its calls in flight, and their processes", async () => {
  const hang = `print("before");
    tools.bash({ command: "echo $$ > pid; exec sleep 300", timeout_seconds: 299 });
    await tools.bash("until [ -s pid ]; do sleep 0.01; done"); print("ready");
    await new Promise(() => {});`;
  const run = await runCodes([code(hang, { timeout_seconds: 1 })]);
  await using app = run.app;
  const { kind, message, details } = JSON.parse(run.results[0] ?? "");
  assertEquals(kind, "timeout");
  assertStringIncludes(message, "more than 1 second");
  assertEquals(details.output, "before\nready\n[cancelled: bash]\n");
  const pid = (await Deno.readTextFile(`${app.workspace}/pid`)).trim();
  const { success } = await new Deno.Command("kill", { args: ["-0", pid], stderr: "null" })
    .output();
  assertEquals(success, false, "the process is gone when the step is over");
  const order = outline(await app.tape());
  const ends = order.filter((line) => line === "event:code.call" || line === "tool_result");
  assertEquals(
    ends,
    ["event:code.call", "event:code.call", "tool_result"],
    "and on the tape first",
  );
});

Deno.test("C3 B58 calls that nobody awaited are waited for and named; late rejections are notes", async () => {
  const run = await runCodes([
    `tools.bash("sleep 0.05; echo late > late.txt"); tools.fs_read("nope"); print(42)`,
    `setTimeout(() => { throw new Error("late") }, 0); print(42)`,
  ]);
  await using app = run.app;
  assertEquals(await Deno.readTextFile(`${app.workspace}/late.txt`), "late\n");
  const [first = "", second = ""] = run.results;
  assertMatch(first, /^42\n\[not awaited: bash, fs_read\]\n\[nobody caught: ToolError: no such/);
  assertMatch(second, /^42\n/);
});

Deno.test("C3 M5 an interrupted turn ends the code at once, keeps what it printed, and is usable", async () => {
  const hang = `print("started"); await tools.bash("touch ready; exec sleep 300")`;
  await using app = await TemporaryAgent.open(
    [{ calls: [code(hang)] }, { text: "fresh" }],
    {},
    CODE_MODE,
  );
  const abort = new AbortController();
  const running = app.run("go", { signal: abort.signal });
  await appears(`${app.workspace}/ready`);
  abort.abort();
  assertEquals((await running).status, "interrupted");
  const result = (await app.tape()).find(({ kind }) => kind === "tool_result");
  const [report] = result?.payload.results as { kind: string; details: { output: string } }[];
  assertEquals([report?.kind, report?.details.output], [
    "interrupted",
    "started\n[cancelled: bash]\n",
  ]);
  assertEquals((await app.run("hello")).output, "fresh");
});

Deno.test("SC5 quit ends running code", async () => {
  await using app = await TemporaryAgent.open(
    [{ calls: [code("await tools.fs_write({path: 'ready', content: ''}); for (;;);")] }],
    {},
    CODE_MODE,
  );
  const running = app.run("go");
  await appears(`${app.workspace}/ready`);
  assertMatch((await app.run(",quit")).output, /^Ended: 1 running turn\.$/);
  assertEquals((await running).status, "interrupted");
});

Deno.test("SP1 C4 a long result of run_code is put away; what its code gets of calls is whole", async () => {
  const run = await runCodes([
    `const text = await tools.bash("seq 1 20000");
     print(text.length, typeof text);`,
    `print(await tools.bash("seq 1 20000"))`,
  ]);
  await using _app = run.app;
  const [first, second = ""] = run.results;
  assertEquals(first, "108894 string\n");
  assertMatch(
    second,
    /^1\n2\n.*stored in \d+ chunks .* tools\.spill_read reads it, handle [0-9a-f]{32} /s,
  );
  assert(second.length < 1000);
});

Deno.test("C2 B28 bad arguments of run_code are errors that name the parameter", async () => {
  const run = await runCodes([
    code("1", { timeout_seconds: 0 }),
    { name: "run_code", arguments: {} },
    { name: "run_code", arguments: '{"code": ' },
    { name: "run_code", arguments: "[1]" },
  ]);
  await using _app = run.app;
  const reports = run.results.map((text) => JSON.parse(text));
  assertEquals(reports.map(({ kind }) => kind), reports.map(() => "invalid_input"));
  assertStringIncludes(
    reports[0].message,
    "timeout_seconds must be a number of more than 0, got 0",
  );
  assertStringIncludes(reports[1].message, "code must be text, got nothing");
});
