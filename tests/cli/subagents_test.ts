import { assert, assertEquals, assertMatch } from "../assert.ts";
import { call, scriptBy, starts, userTexts } from "../kernel/subagent_script.ts";
import type { Script } from "../provider/answer.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { bub, spawnBub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

/** A workbench whose program asks a scripted server. */
async function openScripted(script: Script) {
  const bench = await openWorkbench();
  const server = startFakeOpenAI({ script, strict: {} });
  const env = {
    ...bench.env,
    HOME: bench.root,
    BUB_MODEL: "openai-compatible:scripted",
    BUB_API_BASE: server.base,
  };
  return {
    bench,
    server,
    options: { env, cwd: bench.workspace },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

const two = () =>
  scriptBy({
    go: [
      starts({ prompt: "one", description: "First" }, { prompt: "two", description: "Second" }),
      { text: "waiting" },
      { text: "done" },
    ],
    one: [{ text: "1" }],
    two: [{ status: 401, body: { error: { message: "wrong key" } } }],
  });

Deno.test("A10 L2 text output shows one line at start and end of each subagent, on standard error", async () => {
  await using app = await openScripted(two());
  const { code, stdout, stderr } = await bub(["run", "go"], app.options);
  assertEquals([code, stdout], [0, "done\n"]);
  const lines = stderr.split("\n").filter((line) => line.startsWith("subagent sub-"));
  assertEquals(lines.length, 4, stderr);
  assertMatch(stderr, /^subagent sub-\w{8} \(First\) started$/m);
  assertMatch(stderr, /^subagent sub-\w{8} \(First\) completed, \d+ ms$/m);
  assertMatch(stderr, /^subagent sub-\w{8} \(Second\) failed, \d+ ms: .*wrong key/m);
});

Deno.test("A10 L2 json lists the tasks with usage, which counts in the whole", async () => {
  await using app = await openScripted(two());
  const { stdout } = await bub(["run", "go", "-o", "json"], app.options);
  const { tasks, usage, status } = JSON.parse(stdout);
  assertEquals(status, "ok");
  assertEquals(tasks.map((task: { status: string }) => task.status), ["completed", "failed"]);
  assert(tasks[0].usage.total_tokens > 0 && usage.total_tokens > 3 * tasks[0].usage.total_tokens);
});

Deno.test("A10 L2 stream-json carries the three events, and ends with the result", async () => {
  await using app = await openScripted(two());
  const { stdout } = await bub(["run", "go", "-o", "stream-json"], app.options);
  const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const count = (type: string) => events.filter((event) => event.type === type).length;
  assertEquals([count("subagent.started"), count("subagent.finished")], [2, 2]);
  assert(count("subagent.output") >= 8);
  assertEquals([events.at(-1).type, events.at(-1).tasks.length], ["result", 2]);
  assert(events.every(({ session_id }) => session_id === "cli:local"));
});

Deno.test("M2 a recorded run with subagents replays, offline and the same", async () => {
  await using app = await openScripted(scriptBy({
    go: [
      starts({ prompt: "one" }, { prompt: "two" }, { prompt: "three" }),
      { text: "waiting" },
      { text: "waiting" },
      { text: "waiting" },
      { text: "done" },
    ],
    one: [{ text: "I" }],
    two: [{ text: "II" }],
    three: [{ text: "III" }],
  }));
  const file = `${app.bench.root}/recording.jsonl`;
  const first = await bub(["run", "go", "-o", "json", "--record", file], app.options);
  assertEquals(first.code, 0, first.stderr);
  const again = await bub(
    ["run", "go", "-o", "json", "-m", `replay:${file}`, "--session-id", "other"],
    app.options,
  );
  const outputs = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout).tasks.map((task: { output: string }) => task.output);
  assertEquals(outputs(first), ["I", "II", "III"]);
  assertEquals(outputs(again), ["I", "II", "III"]);
});

const STUBBORN = "trap '' TERM INT HUP; echo $$ > pid; while :; do sleep 0.2; done";

for (
  const [name, signal, code, args] of [
    ["SIGINT", "SIGINT", 130, []],
    ["SIGTERM", "SIGTERM", 143, []],
    ["--timeout", undefined, 124, ["--timeout", "5"]],
  ] as const
) {
  Deno.test({
    name: `A9 B72 ${name} cancels subagents and their processes, and the tape says so`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      const began = Promise.withResolvers<void>();
      await using app = await openScripted(scriptBy({
        go: [starts({ prompt: "shell" }), { text: "waiting" }],
        shell: [() => {
          began.resolve();
          return { text: "so far", calls: [call("bash", { command: STUBBORN })] };
        }],
      }));
      const child = await spawnBub(["run", "go", "-o", "json", ...args], app.options);
      const output = child.output();
      await began.promise;
      const pid = await pidIn(app.bench.workspace);
      if (signal !== undefined) child.kill(signal);
      const { code: ended, stdout } = await output;
      assertEquals(ended, code);
      assertEquals(isAlive(pid), false);
      const { tasks } = JSON.parse(new TextDecoder().decode(stdout));
      assertEquals([tasks[0].status, tasks[0].output], ["cancelled", "so far"]);
      const tape = await bub(["tape", "show", "--json"], app.options);
      assertEquals(tape.stdout.split("steering.message").length, 2, tape.stdout);
      assertMatch(tape.stdout, /status=\\+"cancelled\\+">\\+nso far/);
    },
  });
}

Deno.test({
  name: "A6 A9 B54 after kill -9 the next turn opens with one end for each lost subagent, once",
  ignore: Deno.build.os === "windows",
  async fn() {
    const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hang = (n: number) => [() => {
      began[n]?.resolve();
      return { text: "so far", end: "hang" as const };
    }];
    await using app = await openScripted(scriptBy({
      go: [
        starts({ prompt: "one" }, { prompt: "two" }, { prompt: "three" }),
        { text: "waiting" },
        { text: "read" },
      ],
      one: hang(0),
      two: hang(1),
      three: [{ text: "3" }],
    }));
    const child = await spawnBub(["run", "go"], app.options);
    const output = child.output();
    await Promise.all(began.map(({ promise }) => promise));
    await untilTape(app, "subagent-notification");
    child.kill("SIGKILL");
    await output;
    const told = async (message: string) => {
      const { code, stderr } = await bub(["run", message], app.options);
      assertEquals(code, 0, stderr);
      return userTexts(app.server.requests.at(-1)!);
    };
    const first = await told("again");
    const end = /<subagent-\S+ task_id="sub-\w+" status="cancelled">\nthe program was killed\n<\//g;
    assertEquals(first.at(-1)?.match(end)?.length, 2, first.at(-1));
    assertMatch(first.at(-1) ?? "", /\n\nagain$/);
    assertEquals(await told("and again"), [...first, "and again"]);
    const tape = await bub(["tape", "show", "--json"], app.options);
    assertEquals(tape.stdout.split('"steering.message"').length, 4, tape.stdout);
    const tapes = Array.fromAsync(Deno.readDir(`${app.bench.root}/home/tapes`));
    assertEquals((await tapes).filter(({ name }) => name.startsWith("tasks-")), []);
  },
});

/** Resolves when the tape shows a text. */
async function untilTape(
  { options }: { readonly options: NonNullable<Parameters<typeof bub>[1]> },
  text: string,
): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if ((await bub(["tape", "show", "--json"], options)).stdout.includes(text)) return;
  }
  throw new Error(`the tape never had ${text}`);
}

/** The process id that a shell wrote, once it has. */
async function pidIn(folder: string): Promise<number> {
  using watcher = Deno.watchFs(folder);
  const read = async () => {
    try {
      return await Deno.readTextFile(`${folder}/pid`);
    } catch {
      return "";
    }
  };
  let text = await read();
  if (text.endsWith("\n")) return Number(text);
  for await (const _ of watcher) {
    text = await read();
    if (text.endsWith("\n")) return Number(text);
  }
  throw new Error("the shell did not start");
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
