import { join } from "@std/path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { bub, bubCommand, bubEnv, COMPILED } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

const RESULT_FIELDS = ["session_id", "output", "status", "steps", "usage", "tasks", "error"];

/** Runs a line of shell in which `$BUB` is the program. */
async function shell(line: string, env: Readonly<Record<string, string>>, cwd: string) {
  const command = (await bubCommand([])).map((word) => `'${word}'`).join(" ");
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", `bub() { ${command} "$@"; }\n${line}`],
    clearEnv: true,
    env: await bubEnv(env),
    cwd,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("L2 run prints the answer on standard output, and what led to it on standard error", async () => {
  await using bench = await openWorkbench();
  await Deno.writeTextFile(join(bench.workspace, "a.txt"), "hello\n");
  const model = await bench.record(
    {
      text: "Let me look.",
      calls: [["fs_read", { path: "a.txt" }], ["fs_read", { path: "b.txt" }]],
    },
    { text: "It says hello." },
  );
  const { code, stdout, stderr } = await bub(["run", "what", "does it say?", "-m", model], {
    env: bench.env,
    cwd: bench.workspace,
  });
  assertEquals([code, stdout], [0, "It says hello.\n"]);
  const lines = stderr.trimEnd().split("\n");
  assertEquals(lines.length, 3, stderr);
  assertEquals(lines[0], "Let me look.");
  assertMatch(stderr, /^fs\.read path=a\.txt {2}ok, \d+ ms$/m);
  assertMatch(stderr, /^fs\.read path=b\.txt {2}failed, \d+ ms: .*b\.txt/m);
  const quiet = await bub(["run", "-q", "again", "-m", model, "--session-id", "other"], {
    env: bench.env,
    cwd: bench.workspace,
  });
  assertEquals([quiet.code, quiet.stdout, quiet.stderr], [0, "It says hello.\n", ""]);
});

Deno.test("L2 --output json prints one object with exactly the fields of the contract", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["fs_read", { path: "no" }]] }, { text: "done" });
  const { code, stdout } = await bub(
    ["run", "-m", model, "hi", "--output=json", "--session-id", "s:1", "-w", bench.workspace],
    { env: bench.env },
  );
  assertEquals(code, 0);
  const result = JSON.parse(stdout);
  assertEquals(Object.keys(result), RESULT_FIELDS);
  const { session_id, output, status, steps, tasks, error } = result;
  assertEquals({ session_id, output, status, steps, tasks, error }, {
    session_id: "s:1",
    output: "done",
    status: "ok",
    steps: 2,
    tasks: [],
    error: null,
  });
  assert(result.usage.total_tokens > 0);
});

Deno.test("L2 --output stream-json prints one event a line, the result last and once", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["fs_read", { path: "no" }]] }, { text: "done" });
  const { code, stdout, stderr } = await bub(
    ["run", "hi", "-m", model, "-o", "stream-json", "-w", bench.workspace],
    { env: bench.env },
  );
  assertEquals([code, stderr], [0, ""]);
  const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(events.map(({ type }) => type), [
    "turn.start",
    "step.start",
    "tool.start",
    "tool.end",
    "step.end",
    "step.start",
    "text",
    "step.end",
    "result",
  ]);
  const { type: _, ...result } = events.at(-1);
  assertEquals(Object.keys(result), RESULT_FIELDS);
  assertEquals([result.status, result.output], ["ok", "done"]);
});

Deno.test("B71 L3 a turn that failed exits with 1, says why, and prints nothing like an answer", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "half", calls: [["fs_read", { path: "no" }]] });
  const { code, stdout, stderr } = await bub(["run", "hi", "-m", model], { env: bench.env });
  assertEquals([code, stdout], [1, ""]);
  assertMatch(stderr, /^bub: no answer left/m);
  const asJson = await bub(["run", "hi", "-m", model, "-o", "json", "--session-id", "b"], {
    env: bench.env,
  });
  const { status, error } = JSON.parse(asJson.stdout);
  assertEquals([asJson.code, status, error.kind], [1, "error", "model"]);
  assertEquals(Object.keys(error), ["kind", "message"]);
});

Deno.test("B71 L3 a provider that refuses: exit code 1, the kind in JSON, no answer anywhere", async () => {
  await using bench = await openWorkbench();
  const refusals = [[401, "auth"], [400, "model"]] as const;
  await using provider = startFakeOpenAI({
    script: refusals.flatMap(([status]) => {
      const answer = { status, body: { error: { message: `refused with ${status}` } } };
      return [answer, answer];
    }),
  });
  const env = {
    ...bench.env,
    BUB_MODEL: "openai-compatible:fake",
    BUB_API_BASE: provider.base,
    BUB_API_KEY: "sk-secret",
  };
  for (const [status, kind] of refusals) {
    const text = await bub(["run", "hi"], { env });
    assertEquals([text.code, text.stdout], [1, ""]);
    assertMatch(text.stderr, new RegExp(`^bub: .*refused with ${status}`, "m"));
    const json = await bub(["run", "hi", "-o", "json"], { env });
    const { status: ended, output, error } = JSON.parse(json.stdout);
    assertEquals([json.code, ended, output, error.kind], [1, "error", "", kind]);
    assertEquals(`${text.stderr}${json.stdout}${json.stderr}`.includes("sk-secret"), false);
  }
});

Deno.test("B71 L3 a provider that never gets well: exit code 1, the kind in JSON, nothing like an answer", async () => {
  await using bench = await openWorkbench();
  // A wait beyond the budget of retries fails at once.
  const later = { headers: { "retry-after": "3600" } };
  await using limited = startFakeOpenAI({
    script: () => ({ status: 429, body: { error: { message: "slow down" } }, ...later }),
  });
  await using broken = startFakeOpenAI({
    script: () => ({ status: 500, body: { error: { message: "oh no" } }, ...later }),
  });
  await using silent = startFakeOpenAI({ script: () => ({ raw: "" }) });
  await using closed = startFakeOpenAI({ script: [] });
  await closed[Symbol.asyncDispose]();
  const ends = [
    [limited.base, "rate_limit", /limits the rate of requests \(status 429\): slow down/],
    [broken.base, "server", /failed \(status 500\): oh no/],
    [silent.base, "connection", /after 5 attempts/],
    [closed.base, "connection", /after 5 attempts/],
  ] as const;
  await Promise.all(ends.map(async ([base, kind, message]) => {
    const env = { ...bench.env, BUB_MODEL: "openai-compatible:fake", BUB_API_BASE: base };
    const run = (...flags: string[]) => bub(["run", "hi", "--session-id", base, ...flags], { env });
    const [text, json] = await Promise.all([run(), run("-o", "json", "--session-id", `${base}/2`)]);
    assertEquals([text.code, text.stdout], [1, ""], text.stderr);
    assertMatch(
      text.stderr.trimEnd().split("\n").at(-1) ?? "",
      new RegExp(`^bub: .*${message.source}`),
    );
    const { status, output, error } = JSON.parse(json.stdout);
    assertEquals([json.code, status, output, error.kind], [1, "error", "", kind]);
    assertMatch(error.message, message);
  }));
  assertEquals([limited.requests.length, broken.requests.length], [2, 2]);
});

Deno.test({
  name: "B71 E4 a tool that may not do its work: the model goes on, and the result shows it",
  ignore: COMPILED || Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ calls: [["bash", { command: "true" }]] }, { text: "done" });
    const permissions = ["--allow-read", "--allow-write", "--allow-env"];
    const run = (...flags: string[]) =>
      bub(["run", "hi", "-m", model, ...flags], { env: bench.env, permissions });
    const text = await run();
    assertEquals([text.code, text.stdout], [0, "done\n"]);
    assertMatch(text.stderr, /^bash .*failed, .*run access to .* --allow-run=\S+ grants it$/m);
    const json = await run("-o", "stream-json", "--session-id", "json");
    const events = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    const end = events.find(({ type }) => type === "tool.end");
    assertEquals([end.status, JSON.parse(end.output).kind], ["error", "permission"]);
  },
});

Deno.test("T7 B71 a refused page is printed above the reason, on standard error", async () => {
  await using bench = await openWorkbench();
  const gone = () => new Response("no such page", { status: 404 });
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, gone);
  const url = `http://127.0.0.1:${server.addr.port}/page`;
  const { code, stdout, stderr } = await bub(["run", `,web.fetch ${url}`], { env: bench.env });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(stderr, `no such page\nbub: ${url} answered with status 404\n`);
});

Deno.test("M1 a key that serves another provider is not what is missing", async () => {
  await using bench = await openWorkbench();
  const env = { ...bench.env, BUB_MODEL: "openai:x", BUB_API_KEY: "k" };
  const { code, stderr } = await bub(["run", "-m", "groq:x", "hi"], { env });
  assertEquals([code, stderr], [
    2,
    "bub: no API key for groq; set BUB_GROQ_API_KEY or GROQ_API_KEY: " +
    "as plain text BUB_API_KEY serves only openai\n",
  ]);
});

Deno.test("B71 M5 running out of steps exits with 1", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["fs_read", { path: "a" }]] }, { text: "done" });
  const { code, stdout } = await bub(["run", "hi", "-m", model, "--max-steps", "1", "-o", "json"], {
    env: bench.env,
  });
  const { status, error, steps } = JSON.parse(stdout);
  assertEquals([code, status, error.kind, steps], [1, "error", "max_steps", 1]);
});

Deno.test("L3 --timeout ends the turn with 124", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["bash", { command: "sleep 60" }]] }, { text: "no" });
  const { code, stdout } = await bub(["run", "hi", "-m", model, "--timeout", "0.7", "-o", "json"], {
    env: bench.env,
  });
  assertEquals([code, JSON.parse(stdout).status], [124, "timeout"]);
});

Deno.test("L3 M1 without a model, run exits with 2 and says what to set", async () => {
  await using bench = await openWorkbench();
  const { code, stdout, stderr } = await bub(["run", "hi"], { env: bench.env });
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "BUB_MODEL");
  const command = await bub(["run", ",printf works"], { env: bench.env });
  assertEquals([command.code, command.stdout], [0, "works"], "T7 commands need no model");
});

Deno.test("L2 --tools limits the tools; an unknown one exits with 2 and names the close one", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["bash", { command: "true" }]] }, { text: "done" });
  const limited = await bub(["run", "hi", "-m", model, "--tools=FS_read, fs.edit"], {
    env: bench.env,
  });
  assertEquals(limited.code, 0);
  assertMatch(limited.stderr, /^bash .*failed/m);
  const none = await bub(["run", "hi", "-m", model, "--tools=", "--session-id", "n"], {
    env: bench.env,
  });
  assertMatch(none.stderr, /^bash .*failed/m);
  const unknown = await bub(["run", "hi", "-m", model, "--tools", "fs.raed"], { env: bench.env });
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.stderr, 'there is no tool "fs.raed"; did you mean fs.read');
});

Deno.test("C1 L2 --tools with what is there in code mode only exits with 2 outside of it", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "done" });
  const ask = (...flags: string[]) => bub(["run", "hi", "-m", model, ...flags], { env: bench.env });
  const off = await ask("--tools=run_code");
  assertEquals([off.code, off.stdout, off.stderr], [
    2,
    "",
    "bub: run_code is there in code mode only, which is off; --code-mode switches it on\n",
  ]);
  assertEquals((await ask("--tools=fs.read,attach_image")).code, 2);
  assertEquals((await ask("--tools=run_code", "--code-mode")).stdout, "done\n");
  await bub(["run", ",code_mode true"], { env: bench.env });
  assertEquals((await ask("--tools=run_code")).stdout, "done\n");
});

Deno.test("L2 --record writes what replay: answers with", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "one" });
  const env = bench.env;
  const cwd = bench.workspace;
  assertEquals(
    (await bub(["run", "hi", "-m", model, "--record", "r.jsonl"], { env, cwd })).code,
    0,
  );
  const replayed = await bub(["run", "hi", "-m", "replay:r.jsonl", "--session-id", "x"], {
    env,
    cwd,
  });
  assertEquals([replayed.code, replayed.stdout], [0, "one\n"]);
});

Deno.test("L2 M2 --record to a place that takes no file is refused before the model is asked", async () => {
  await using bench = await openWorkbench();
  await using provider = startFakeOpenAI({ script: [] });
  const env = {
    ...bench.env,
    BUB_MODEL: "openai-compatible:fake",
    BUB_API_BASE: provider.base,
  };
  await Deno.writeTextFile(join(bench.workspace, "file"), "");
  const cwd = bench.workspace;
  const places = {
    ".": `${cwd} is a folder`,
    "no/r.jsonl": `there is no folder ${cwd}/no`,
    "file/r": `the recording ${cwd}/file/r cannot be written`,
  };
  for (const [place, reason] of Object.entries(places)) {
    const { code, stdout, stderr } = await bub(["run", "hi", "--record", place], { env, cwd });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, reason);
    assertEquals(stderr.trimEnd().split("\n").length, 1, "one line");
  }
  assertEquals(provider.requests, []);
  const unused = await bub(["run", ",bash true", "--record", "r.jsonl"], { env, cwd });
  assertEquals(unused.code, 0, unused.stderr);
  const left = await Array.fromAsync(Deno.readDir(bench.workspace), ({ name }) => name);
  assertEquals(left, ["file"]);
});

Deno.test("B69 L2 the message comes from words, standard input, or both", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const prompt = async (args: string[], text: string | null) => {
    const { code, stdout, stderr } = await bub(
      ["run", "-m", model, "-o", "stream-json", "--session-id", crypto.randomUUID(), ...args],
      { env: bench.env, stdin: text === null ? "none" : { text } },
    );
    assertEquals(code, 0, stderr);
    return JSON.parse(stdout.split("\n")[0] ?? "").prompt;
  };
  assertEquals(
    await Promise.all([
      prompt(["sum", "up"], null),
      prompt([], "a question\n"),
      prompt(["sum up"], "line 1\nline 2\n"),
      prompt(["sum", "-", "up"], "text"),
      prompt(["--", "-w", "-"], ""),
    ]),
    ["sum up", "a question", "sum up\n\nline 1\nline 2", "sum up\n\ntext", "-w -"],
  );
});

Deno.test("B69 an open, silent standard input is left alone with a hint", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const [answered, empty] = await Promise.all([
    bub(["run", "hi", "-m", model], { env: bench.env, stdin: "open" }),
    bub(["run", "-m", model], { env: bench.env, stdin: "open" }),
  ]);
  assertEquals([answered.code, answered.stdout], [0, "ok\n"]);
  assertMatch(answered.stderr, /standard input is open but silent/);
  assertEquals([empty.code, empty.stdout], [2, ""]);
  assertMatch(empty.stderr, /nothing came on standard input within 200 ms/);
});

Deno.test("B69 no message and no input is wrong usage", async () => {
  await using bench = await openWorkbench();
  const { code, stdout, stderr } = await bub(["run"], { env: bench.env });
  assertEquals([code, stdout], [2, ""]);
  assertMatch(stderr, /^bub: there is no message; usage: bub run /);
});

Deno.test({
  name: "B69 a closed standard input is an empty one",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ text: "ok" });
    const ran = await shell(`bub run hi -m ${model} <&-`, bench.env, bench.workspace);
    assertEquals([ran.code, ran.stdout, ran.stderr], [0, "ok\n", ""]);
  },
});

Deno.test({
  name: "B69 T6 a text command leaves the input to those behind it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const line = 'printf "a\\nb\\n" | while read word; do bub run ",echo $word"; done';
    const { stdout } = await shell(line, bench.env, bench.workspace);
    assertEquals(stdout, "a\nb\n");
  },
});

Deno.test({
  name: "B70 a reader that goes away: no stack trace, exit code 141",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const line = 'bub run ",seq 300000" | head -1; echo ${PIPESTATUS[0]}';
    const { stdout, stderr } = await shell(line, bench.env, bench.workspace);
    assertEquals([stdout, stderr], ["1\n141\n", ""]);
  },
});

Deno.test({
  name: "B70 a full disk behind standard output is an error",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const { code, stdout } = await shell(
      'bub run ",seq 3" 2>&1 >/dev/full',
      bench.env,
      bench.workspace,
    );
    assertEquals(code, 1);
    assertMatch(stdout, /^bub: standard output cannot be written: No space left[^\n]*\n$/);
  },
});

Deno.test({
  name: "B70 --version says that a full disk took nothing, and nothing to a reader that went away",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const full = await shell("bub --version 2>&1 >/dev/full", bench.env, bench.workspace);
    assertEquals(full.code, 1);
    assertMatch(full.stdout, /^bub: standard output cannot be written: No space left[^\n]*\n$/);
    const line = "{ sleep 0.1; bub --version; echo $? >&2; } | true";
    const gone = await shell(line, bench.env, bench.workspace);
    assertEquals([gone.stdout, gone.stderr], ["", "141\n"]);
  },
});

Deno.test({
  name: "B70 all bytes arrive where the reader is slow",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const line = 'bub run ",seq 800000" | (sleep 0.5; wc -c)';
    const { stdout } = await shell(line, bench.env, bench.workspace);
    assertEquals(Number(stdout), 5_488_895);
  },
});

Deno.test({
  name: "T7 B71 a failed command prints what it said, and the reason on standard error",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const { code, stdout, stderr } = await bub(["run", ",bash 'echo out; exit 3'"], {
      env: bench.env,
    });
    assertEquals([code, stdout, stderr], [1, "out\n", "bub: command exited with code 3\n"]);
  },
});

Deno.test("B74 no escape codes where no stream is a terminal", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["fs_read", { path: "no" }]] }, { text: "done" });
  const { stdout, stderr } = await bub(["run", "-vv", "hi", "-m", model], { env: bench.env });
  assertEquals(`${stdout}${stderr}`.includes("\x1b"), false);
});

Deno.test("L2 an empty answer is said on standard error, the exit code is 0", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "" });
  const { code, stdout, stderr } = await bub(["run", "hi", "-q", "-m", model], { env: bench.env });
  assertEquals([code, stdout, stderr], [0, "\n", "bub: the model gave an empty answer\n"]);
});

Deno.test("T7 SC1 JSON and the help of commands end with a newline on a pipe, text ends as it is", async () => {
  await using bench = await openWorkbench();
  const say = async (line: string) =>
    (await bub(["run", line], { env: bench.env, cwd: bench.workspace })).stdout;
  assertMatch(await say(",tape.info"), /[^\n]\n$/);
  assertMatch(await say(",help"), /[^\n]\n$/);
  assertEquals(await say(",fs.write path=a content=1"), "wrote 1 byte to a");
});
