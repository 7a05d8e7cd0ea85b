import { join } from "@std/path";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { spawnBub } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

/** Resolves when the file is there. */
async function appears(path: string): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    try {
      await Deno.stat(path);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  throw new Error(`${path} did not appear`);
}

/** Whether a process with this id runs. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** A line of shell that names its process in a file and then ignores every polite request to end. */
const STUBBORN =
  "trap '' TERM INT HUP; echo $$ > pid.tmp; mv pid.tmp pid; while :; do sleep 0.2; done";

/** A line that tidies up when it is asked to end, which takes it a while. */
const TIDY = "trap 'sleep 0.3; touch tidied; exit' TERM; echo $$ > pid.tmp; mv pid.tmp pid; " +
  "while :; do sleep 0.05; done";

/** Starts a run whose model runs such a line, and waits until it does. */
async function startStubborn(bench: Workbench, command: string = STUBBORN) {
  const model = await bench.record({ calls: [["bash", { command }]] }, { text: "no" });
  const child = await spawnBub(["run", "hi", "-m", model, "-o", "json"], {
    env: bench.env,
    cwd: bench.workspace,
  });
  const path = join(bench.workspace, "pid");
  await appears(path);
  return { child, pid: Number(await Deno.readTextFile(path)) };
}

/** The lines of the only tape of a home. */
async function tapeLines(bench: Workbench): Promise<string[]> {
  const folder = join(bench.root, "home", "tapes");
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const tape = names.find((name) => name.endsWith(".jsonl"));
  assert(tape !== undefined);
  return (await Deno.readTextFile(join(folder, tape))).trimEnd().split("\n");
}

for (
  const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129], [
    "SIGQUIT",
    131,
  ]] as const
) {
  Deno.test({
    name: `B72 L3 ${signal} ends the turn, its processes and the program with ${code}`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using bench = await openWorkbench();
      const { child, pid } = await startStubborn(bench);
      const sent = performance.now();
      child.kill(signal);
      const output = await child.output();
      const took = performance.now() - sent;
      assertEquals(output.code, code);
      assert(took < 4_000, `it took ${took} ms`);
      assertEquals(isAlive(pid), false, "no process is left");
      const { status, error } = JSON.parse(new TextDecoder().decode(output.stdout));
      assertEquals([status, error.kind], ["interrupted", "interrupted"]);
      const lines = await tapeLines(bench);
      assertEquals(lines.map((line) => JSON.parse(line).id), lines.map((_, index) => index + 1));
      assertMatch(lines.join("\n"), /interrupted/);
    },
  });
}

for (
  const [name, line, kept] of [
    [
      "run_code",
      `,run_code code='print("kept"); await tools.bash("touch pid; sleep 60")'`,
      "kept\n[cancelled: bash]\n",
    ],
    ["bash", ",bash command='echo kept; touch pid; sleep 60' timeout_seconds=60", "kept\n"],
  ] as const
) {
  for (const output of ["text", "json"] as const) {
    Deno.test({
      name: `B72 L2 what ,${name} had printed before a Ctrl-C is not lost (${output})`,
      ignore: Deno.build.os !== "linux",
      async fn() {
        await using bench = await openWorkbench();
        const child = await spawnBub(["run", line, "-o", output], {
          env: bench.env,
          cwd: bench.workspace,
        });
        await appears(join(bench.workspace, "pid"));
        child.kill("SIGINT");
        const { code, stdout, stderr } = await child.output();
        assertEquals(code, 130);
        const told = "bub: interrupted by SIGINT\n";
        const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        if (output === "text") {
          assertEquals([text(stdout), text(stderr)], ["", kept + told]);
        } else {
          const result = JSON.parse(text(stdout));
          assertEquals([result.status, result.output], ["interrupted", kept]);
          assertEquals(text(stderr), told);
        }
      },
    });
  }
}

Deno.test({
  name: "B72 a second Ctrl-C forces the end, and leaves no process either",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const { child, pid } = await startStubborn(bench);
    const sent = performance.now();
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 150));
    child.kill("SIGINT");
    const { code } = await child.output();
    assertEquals(code, 130);
    assert(performance.now() - sent < 1_500, "sooner than a first one");
    assertEquals(isAlive(pid), false);
  },
});

Deno.test({
  name: "B72 a Ctrl-C that comes twice within milliseconds, as under deno task, ends in order",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const { child, pid } = await startStubborn(bench, TIDY);
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill("SIGINT");
    const { code, stdout } = await child.output();
    assertEquals(code, 130);
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)).status, "interrupted");
    assertEquals(isAlive(pid), false);
    await Deno.stat(join(bench.workspace, "tidied"));
  },
});
