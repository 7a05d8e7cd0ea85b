import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub, spawnBub } from "../cli/spawn.ts";
import { openWorkbench, type Workbench } from "../cli/workbench.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";

/** Seconds each code may take unless it says otherwise. */
const LIMIT_SECONDS = 10;

/** Runs codes, all in one step of one `bub run --code-mode`; the results by position. */
async function runCodes(bench: Workbench, codes: readonly [code: string, seconds?: number][]) {
  const calls = codes.map(([code, timeout_seconds = LIMIT_SECONDS]) =>
    ["run_code", { code, timeout_seconds }] as const
  );
  const model = await bench.record({ calls }, { text: "done" });
  const { code, stdout, stderr } = await bub(
    ["run", "go", "--code-mode", "-m", model, "-o", "stream-json", "-w", bench.workspace],
    { env: { ...bench.env, BUB_CODE_MEMORY_MIB: "64" } },
  );
  assertEquals([code, stderr], [0, ""]);
  const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const outputs = codes.map((_, index) => {
    const id = `call_0_${index}`;
    return String(
      events.find(({ type, call_id }) => type === "tool.end" && call_id === id)?.output,
    );
  });
  return { events, outputs };
}

Deno.test("C2 C3 B55 B56 B58 B59 B60 B62 a run survives hostile code, beside code that works", async () => {
  await using bench = await openWorkbench();
  const started = performance.now();
  const { outputs, events } = await runCodes(bench, [
    ["for (;;) await null", 0.4],
    ["print('kept'); const a = []; for (;;) a.push(new Array(1e5).fill(Math.random()))"],
    ["tools.fs_read({ path: '/nope' }); print(42)"],
    ["await new Promise(() => {})"],
    ["const o = { p: Promise.resolve(1), n: 10n, s: new Set([1]) }; o.o = o; print(o)"],
    ["```ts\nconst x: number = 1;\nprint(x) // note\n```"],
  ]);
  const [loop = "", bomb = "", late = "", dead = "", odd, fenced] = outputs;
  assertEquals(JSON.parse(loop).kind, "timeout");
  assertMatch(JSON.parse(bomb).message, /memory/);
  assertEquals(JSON.parse(bomb).details, { output: "kept\n" });
  assertMatch(late, /^42\n\[not awaited: fs_read\]/);
  assertMatch(JSON.parse(dead).message, /nothing can settle/);
  assertEquals(
    odd,
    '{"p": [Promise - did you forget await?], "n": 10n, "s": Set {1}, "o": [Circular]}\n',
  );
  assertEquals(fenced, "1\n");
  assertEquals(events.at(-1).status, "ok");
  assert(performance.now() - started < LIMIT_SECONDS * 1000, "it ends by itself, before limits do");
});

Deno.test("C1 C4 L2 M2 --code-mode asks with run_code, and a recording of it replays with real calls", async () => {
  await using bench = await openWorkbench();
  const text = 'await tools.fs_write({path: "n", content: "1"}); print(await tools.fs_read("n"))';
  await using server = startFakeOpenAI({
    script: [{ calls: [{ name: "run_code", arguments: { code: text } }] }, { text: "one" }],
    strict: {},
  });
  const env = { ...bench.env, BUB_API_BASE: server.base };
  const recording = `${bench.root}/recording.jsonl`;
  const run = (...args: string[]) => bub(["run", "go", "-w", bench.workspace, ...args], { env });
  const live = await run("-m", "openai-compatible:x", "--code-mode", "--record", recording);
  assertEquals([live.code, live.stdout], [0, "one\n"], live.stderr);
  const lines = live.stderr.trimEnd().split("\n");
  assertEquals(lines.map((line) => /^ *\S+/.exec(line)?.[0]), [
    "  fs.write",
    "  fs.read",
    "run_code",
  ]);
  const { tools } = server.requests[0]?.body as { tools: { function: { name: string } }[] };
  assertEquals(tools.map((tool) => tool.function.name), ["run_code"]);

  await Deno.remove(`${bench.workspace}/n`);
  const again = await run("-m", `replay:${recording}`, "--code-mode", "--session-id", "again");
  assertEquals([again.code, again.stdout], [0, "one\n"], again.stderr);
  assertEquals(await Deno.readTextFile(`${bench.workspace}/n`), "1");
});

Deno.test("C2 SC4 L2 in a chat code mode is switched, and ,run_code works without a model", async () => {
  await using bench = await openWorkbench();
  const { code, stdout } = await bub(["chat", "-w", bench.workspace], {
    env: bench.env,
    stdin: { text: ",code_mode enable=true\n,run_code 'print(6 * 7)'\n" },
  });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "code mode: on, from the next turn on");
  assertStringIncludes(stdout, "42\n");
});

Deno.test("C2 E4 under permissions without --allow-run, run_code names what is missing", async () => {
  await using bench = await openWorkbench();
  const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"];
  const { code, stderr } = await bub(["run", ",run_code 'print(1)'", "-w", bench.workspace], {
    env: bench.env,
    permissions,
  });
  assertEquals(code, 1);
  assertMatch(stderr, /run access.* is not allowed; --allow-run.* grants it/);
});

Deno.test({
  name: "C2 the process for code is started while the model answers, and in code mode alone",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    for (const flags of [["--code-mode"], []]) {
      const pid = Promise.withResolvers<number>();
      let isAsExpected = false;
      await using server = startFakeOpenAI({
        async script() {
          const program = await pid.promise;
          isAsExpected = flags.length > 0 ? await getsChild(program) : await staysAlone(program);
          return { text: "ok" };
        },
      });
      const args = ["run", "hi", "-m", "openai-compatible:x", ...flags];
      const child = await spawnBub(args, {
        env: { ...bench.env, BUB_API_BASE: server.base },
        cwd: bench.workspace,
      });
      pid.resolve(child.pid);
      assertEquals((await child.output()).code, 0);
      assert(isAsExpected, flags.join());
    }
  },
});

/** How many processes a process has started that still run. */
async function children(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "pid=", "--ppid", `${pid}`] })
    .output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line.trim() !== "").length;
}

/** Whether a process starts another one; far sooner, if it does. */
async function getsChild(pid: number): Promise<boolean> {
  const until = performance.now() + 5_000;
  while (performance.now() < until) if (await children(pid) > 0) return true;
  return false;
}

/** Whether a process starts none for three times as long as code mode would need to. */
async function staysAlone(pid: number): Promise<boolean> {
  const until = performance.now() + 120;
  while (performance.now() < until) if (await children(pid) > 0) return false;
  return true;
}
