import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bubCommand, bubEnv } from "../cli/spawn.ts";
import { openWorkbench, type Workbench } from "../cli/workbench.ts";

const SCRIPT = fromFileUrl(new URL("scripts/action.sh", ROOT));
const windows = Deno.build.os === "windows";

interface Inputs {
  readonly prompt: string;
  readonly model?: string;
  readonly args?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the step of the action as GitHub does, and reads its outputs as GitHub does. */
async function act(bench: Workbench, { prompt, model = "", args = "", env = {} }: Inputs) {
  const programs = join(bench.root, "programs");
  await Deno.mkdir(programs, { recursive: true });
  const command = (await bubCommand([])).map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(join(programs, "bub"), `#!/bin/sh\nexec ${command} "$@"\n`, {
    mode: 0o755,
  });
  const output = join(bench.root, "output");
  await Deno.writeTextFile(output, "");
  const base = await bubEnv({ ...bench.env, HOME: bench.root, ...env });
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [SCRIPT],
    clearEnv: true,
    env: {
      ...base,
      PATH: `${programs}:${base.PATH}`,
      GITHUB_OUTPUT: output,
      BUB_ACTION_PROMPT: prompt,
      BUB_ACTION_MODEL: model,
      BUB_ACTION_ARGS: args,
    },
    cwd: bench.workspace,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
    outputs: readOutputs(await Deno.readTextFile(output)),
  };
}

/** `name=value` lines, and `name<<END` with the value up to the line `END`. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = "", end] = /^(\w+)<<(.+)$/.exec(line) ?? [];
    if (end === undefined) {
      const [, key, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (key !== undefined) outputs[key] = value;
    } else {
      outputs[name] = lines.splice(0, lines.indexOf(end) + 1).slice(0, -1).join("\n");
    }
  }
  return outputs;
}

Deno.test({
  name: "D1 the action gives prompt, model and arguments to bub as they are, and keeps the answer",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ calls: [["bash", { command: "true" }]] }, {
      text: "Two\nlines.",
    });
    const prompt = `-x "quoted" $(touch injected) \`touch injected\`; touch injected\nand é $HOME`;
    const args = "--session-id\na $(touch injected) b\r\n\n--tools=fs.read\n--max-steps\n5\n";
    const { code, stdout, stderr, outputs } = await act(bench, { prompt, model, args });
    assertEquals([code, stdout], [0, "Two\nlines.\n"], stderr);
    assertEquals(outputs, { status: "ok", result: "Two\nlines." });
    assertMatch(stderr, /^bash .*failed, /m, "--tools did not arrive");
    assert(!stderr.includes("BUB_ACTION_"), stderr);
    assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
    const { stdout: shown } = await act(bench, {
      prompt: ",tape.search query=quoted",
      args: "--session-id=a $(touch injected) b",
    });
    assertStringIncludes(shown, JSON.stringify(prompt).slice(1, -1));
  },
});

Deno.test({
  name: "D1 an answer cannot add outputs of its own",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const text = "a\nEND\nEOF\nEND-\nstatus=forged\nextra=1\nresult<<END\nb";
    const { outputs } = await act(bench, { prompt: "hi", model: await bench.record({ text }) });
    assertEquals(outputs, { status: "ok", result: text });
  },
});

Deno.test({
  name: "D1 L3 the action ends with the exit code of bub, and says what became of the turn",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const broken = await bench.record({ calls: [["fs_read", { path: "no" }]] });
    const slow = await bench.record({ calls: [["bash", { command: "sleep 30" }]] });
    const killed = await bench.record({ calls: [["bash", { command: "kill $PPID; sleep 30" }]] });
    const cases = [
      [{ model: broken }, 1, "error"],
      [{ model: "nobody:x" }, 2, "error"],
      [{ model: slow, args: "--timeout=0.2" }, 124, "timeout"],
      [{ model: killed }, 143, "interrupted"],
    ] as const;
    for (const [inputs, code, status] of cases) {
      const outcome = await act(bench, { prompt: "hi", ...inputs });
      assertEquals(outcome.code, code, outcome.stderr);
      assertEquals(outcome.outputs, { status, result: "" });
    }
    const byVariable = await act(bench, {
      prompt: "hi",
      env: { BUB_MODEL: await bench.record({ text: "ok" }) },
    });
    assertEquals(byVariable.outputs, { status: "ok", result: "ok" });
  },
});
