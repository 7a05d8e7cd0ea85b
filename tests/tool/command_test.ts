import { BubError } from "../../lib/errors.ts";
import { type CommandOptions, runCommand } from "../../lib/tool/command.ts";
import { MediaOutput, StreamedOutput } from "../../lib/tool/output.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { errorText } from "../../lib/tool/result.ts";
import { defineTool, type Tool, type ToolOutput } from "../../lib/tool/tool.ts";
import { bashTools } from "../../tools/bash.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { attach, edit, fail, info, quit, read } from "./sample_tools.ts";
import { Workbench } from "./workbench.ts";

const REGISTRY = new ToolRegistry([...bashTools, read, edit, info, fail, quit, attach]);

function open(tools: ToolRegistry = REGISTRY) {
  return Workbench.open(tools, { caller: "command", callId: "command-1" });
}

function run(bench: Workbench, line: string, options: Partial<CommandOptions> = {}) {
  return runCommand(line, { tools: bench.tools, context: bench.context, ...options });
}

function returning(output: ToolOutput): Tool {
  return defineTool({
    name: "give",
    description: "Gives.",
    parameters: (z) => z.object({}),
    run: () => output,
  });
}

Deno.test("T6 a command runs its tool, named in either form and any case", async () => {
  await using bench = await open();
  for (const line of ["fs.edit a.txt old=b", " FS_EDIT 'a.txt' b ", "fs.edit\na.txt\nb"]) {
    const result = await run(bench, line);
    assertEquals(
      [result.status, result.name, result.output, result.line],
      ["ok", "fs.edit", "a.txt: b", line.trim()],
    );
  }
  assertEquals((await run(bench, "quit")).output, "bye");
});

Deno.test("T7 text is printed as it is, a value as indented JSON, media as a line each, the last two with a newline", async () => {
  const data = new Uint8Array([1]);
  const label = "image/png, 1 byte, a.png";
  const media = [{ mediaType: "image/png", data, label }];
  const cases: [output: ToolOutput, printed: string][] = [
    ["two\nlines\n", "two\nlines\n"],
    ["", ""],
    [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}\n'],
    [null, "null\n"],
    [new MediaOutput("", media), `${label}\n`],
    [new MediaOutput(label, media), `${label}\n`],
    [new MediaOutput("seen", media), `seen\n${label}\n`],
  ];
  for (const [output, printed] of cases) {
    await using bench = await open(new ToolRegistry([returning(output)]));
    assertEquals((await run(bench, "give")).output, printed);
  }
});

Deno.test("T7 P5 output goes out in pieces as they come, the whole of a streamed one", async () => {
  const streamed = new StreamedOutput("preview", async function* () {
    yield "one ";
    yield "two";
  });
  await using bench = await open(new ToolRegistry([returning(streamed)]));
  const pieces: string[] = [];
  const write = (piece: string) => Promise.resolve(void pieces.push(piece));
  const result = await run(bench, "give", { write });
  assertEquals([pieces, result.output, result.record.output], [["one ", "two"], "", "one two"]);
  assertEquals((await run(bench, "give")).output, "one two");
});

Deno.test("T7 M5 an abort stops long output, and the record has what was printed", async () => {
  const turn = new AbortController();
  const endless = new StreamedOutput("preview", async function* () {
    while (true) yield "again ";
  });
  const tools = new ToolRegistry([returning(endless)]);
  await using bench = await Workbench.open(tools, { caller: "command", signal: turn.signal });
  let printed = "";
  const write = (piece: string) => {
    printed += piece;
    if (printed.length > 1000) turn.abort();
    return Promise.resolve();
  };
  const { status, error, record } = await run(bench, "give", { write });
  assertEquals([status, error?.kind], ["error", "interrupted"]);
  assertEquals(record.output, `${printed}${error?.message}`);
});

Deno.test("T7 an error keeps the output there was above its sentence", async () => {
  await using bench = await open();
  const { status, output, error, record } = await run(bench, "fail");
  assert(error !== null);
  assertEquals([status, output, error.kind], ["error", "", "tool"]);
  assertEquals(errorText(error), "so far\ncommand exited with code 3");
  assertEquals(record.output, "so far\ncommand exited with code 3");
  assertEquals(errorText(new BubError("tool", "plain")), "plain");
  const page = new BubError("tool", "answered with 404", {
    details: { status: 404, body: "gone" },
  });
  assertEquals(errorText(page), "gone\nanswered with 404");
});

Deno.test("T6 a fault in the line is an error with its column, prefix included", async () => {
  await using bench = await open();
  const { error, name } = await run(bench, "fs.read 'a");
  assertEquals(error?.message, "no closing ' for the one at column 10");
  assertEquals([error?.kind, name], ["invalid_input", "fs.read"]);
  assertEquals(
    (await run(bench, " fs.read a x")).error?.message,
    'offset must be a whole number of at least 0, got "x" at column 13',
  );
  assertMatch(
    (await run(bench, "fs.read")).error?.message ?? "",
    /path must be text, got nothing$/,
  );
  assertEquals((await run(bench, " ")).error?.message, "an empty command; ,help lists them");
});

Deno.test("T7 any other line runs in the shell, whole, quotes and line breaks untouched", async () => {
  await using bench = await open();
  const lines: [line: string, output: string][] = [
    ["echo 'it is' \"so\"", "it is so\n"],
    ["for x in 1 2; do\n  echo $x\ndone", "1\n2\n"],
    ["printf '%s' a=b", "a=b"],
    ["A='x y'; echo \"$A\"", "x y\n"],
    ["true", "(no output)"],
  ];
  for (const [line, output] of lines) {
    const result = await run(bench, line);
    assertEquals([result.status, result.name, result.output], ["ok", "bash", output]);
  }
  const failed = await run(bench, "echo partly; exit 3");
  assert(failed.error !== null);
  assertEquals([failed.output, errorText(failed.error)], [
    "partly\n",
    "command exited with code 3",
  ]);
});

Deno.test("T7 a dotted word of a known family is an error with the close matches", async () => {
  await using bench = await open();
  for (
    const [line, close] of [["fs.raed x", "fs.read"], ["FS.foo", "fs"], ["bash.x", "bash.kill"]]
  ) {
    const { error, name } = await run(bench, line ?? "");
    assertEquals(error?.kind, "unknown_tool");
    assertStringIncludes(error?.message ?? "", `unknown command "${name}", did you mean `);
    assertStringIncludes(error?.message ?? "", close ?? "");
  }
  await Deno.writeTextFile(`${bench.folder}/run.sh`, "echo script");
  assertEquals((await run(bench, ". ./run.sh")).output, "script\n");
});

Deno.test("T7 one letter from a tool is an error, unless the shell finds such a program", async () => {
  await using bench = await open();
  for (const word of ["quti", "quit;", "fai", "fs_reed", "qui'"]) {
    const { error } = await run(bench, `${word} x`);
    assertEquals(error?.kind, "unknown_tool", word);
    assertMatch(error?.message ?? "", /, did you mean .*(quit|fail|fs\.read).*\? ,help lists/);
  }
  assertEquals(bench.context.shells.list(), [], "the question leaves no shell behind");
  const kept = await Array.fromAsync(Deno.readDir(`${bench.folder}/.output`));
  assertEquals(kept, [], "nor its output");
  const shadow = new ToolRegistry([...bashTools, { ...quit, name: "ech" }]);
  assertEquals((await run(bench, "echo hi", { tools: shadow })).output, "hi\n");
  const far = await run(bench, "xylophone-of-doom");
  assertStringIncludes(far.error?.message ?? "", "exited with code 127");
});

Deno.test("T7 T1 code tools are no commands, and without bash other lines are unknown", async () => {
  await using bench = await open();
  assertEquals((await run(bench, "attach_image x")).error?.kind, "tool");
  const error = (await run(bench, "ls", { tools: new ToolRegistry([read, quit]) })).error;
  assertEquals(error?.kind, "unknown_tool");
});

Deno.test("T7 the record has the line, the name, status, time and output of a command", async () => {
  await using bench = await open();
  const { record, elapsedMs } = await run(bench, " tape.info ");
  const { date, ...rest } = record;
  assertEquals(rest, {
    raw: "tape.info",
    name: "tape.info",
    status: "ok",
    elapsed_ms: elapsedMs,
    output: '{\n  "name": "x",\n  "args": {}\n}\n',
  });
  assert(Math.abs(Date.parse(String(date)) - Date.now()) < 60_000);
  const failed = await run(bench, "fs.raed");
  assertEquals([failed.record.status, failed.record.name], ["error", "fs.raed"]);
});

Deno.test("T7 the record keeps head and tail of long output, at most 64 KiB, all is printed", async () => {
  await using bench = await open();
  const { output, record } = await run(bench, "seq 1 100000");
  assertEquals(output.length, 588_895);
  const kept = String(record.output);
  assert(new TextEncoder().encode(kept).length <= 65_536 && kept.length > 65_000);
  assert(kept.startsWith("1\n2\n") && kept.endsWith("\n99999\n100000\n"));
});

Deno.test("T7 B70 a failing write ends the command as an error that is still recorded", async () => {
  await using bench = await open();
  const write = () => Promise.reject(new Deno.errors.BrokenPipe("broken pipe"));
  const { status, record } = await run(bench, "tape.info", { write });
  assertEquals([status, record.status], ["error", "error"]);
});

Deno.test("T8 commands pass the hooks too", async () => {
  await using bench = await open();
  const hooks = [{ beforeToolCall: () => ({ action: "deny", message: "no shells" }) as const }];
  const { error, record } = await run(bench, "ls", { hooks });
  assertEquals([error?.kind, error?.message], ["permission", "no shells"]);
  assertEquals(record.name, "bash");
});
