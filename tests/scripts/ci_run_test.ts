import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assertEquals, assertMatch } from "../assert.ts";

const SCRIPT = fromFileUrl(new URL(".ci/run", ROOT));
const PASSED = "ok | 12 passed (3 steps) | 0 failed | 1 ignored (2s)";

/** How each task ends, by its words: its exit code, and lines of shell that come before. */
type Tasks = Readonly<Record<string, readonly [code: number, lines?: string]>>;

const FINE: Tasks = {
  "ok": [0],
  "test": [0, `echo "${PASSED}"`],
  "compile": [3, "echo 'error: no denort' >&2"],
  "test:e2e": [0],
};

/** A compile task that leaves a program which does this. */
const built = (line: string): Tasks[string] => [
  0,
  `mkdir "$6"; printf '#!/bin/sh\\n${line}\\n' >"$6/bub-x"; chmod 755 "$6/bub-x"`,
];
const PROGRAM = built("echo bub 0.1.0");

/** Runs `.ci/run` with an `npx` that does not start Deno, but ends as it is told to. */
async function run(changed: Tasks = {}, env: Readonly<Record<string, string>> = {}) {
  const folder = await Deno.makeTempDir();
  try {
    const cases = Object.entries({ ...FINE, ...changed })
      .map(([task, [code, lines = ":"]]) => `${task})\n${lines}\nexit ${code} ;;\n`);
    const npx = `#!/bin/sh\necho "$BUB_BIN $*" >>"${folder}/calls"\n` +
      `case $4 in\n${cases.join("")}esac\nexit 9\n`;
    await Deno.writeTextFile(join(folder, "npx"), npx, { mode: 0o755 });
    // Else it would be installed.
    await Deno.writeTextFile(join(folder, "tmux"), "", { mode: 0o755 });
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: [SCRIPT],
      env: { PATH: `${folder}:${Deno.env.get("PATH")}`, DENORT_BIN: "", BUB_BIN: "", ...env },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    const text = decoder.decode(stdout) + decoder.decode(stderr);
    const calls = (await Deno.readTextFile(join(folder, "calls"))).trimEnd().split("\n");
    return { code, text, calls, last: text.trimEnd().split("\n").at(-1) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "D2 .ci/run runs ok and then all tests, and ends with what they came to",
  ignore,
  async fn() {
    const { code, calls, last } = await run();
    assertEquals([code, last], [0, "12 passed, 0 failed"]);
    assertEquals(calls.slice(0, 2), [" -y deno@2.9.6 task ok", " -y deno@2.9.6 task test"]);
    assertMatch(calls[2] ?? "", / -y deno@2\.9\.6 task compile --folder \S+ -- --no-check$/);
    assertEquals(calls.length, 3);
  },
});

Deno.test({
  name: "D1 .ci/run says nothing of a failure where only the runtime for programs cannot be had",
  ignore,
  async fn() {
    for (const code of [3, 124]) {
      const { text } = await run({ compile: [code, "echo 'error: no denort' >&2"] });
      assertEquals(/error|FAILED/.test(text), false, text);
      assertMatch(text, /\nThe runtime for programs cannot be downloaded here, so none was/);
    }
  },
});

Deno.test({
  name: "D1 .ci/run tests a program that was compiled as it tests the source",
  ignore,
  async fn() {
    const { code, calls, last } = await run({ compile: PROGRAM });
    assertEquals([code, last], [0, "12 passed, 0 failed"]);
    assertMatch(calls[3] ?? "", /^\S+\/bub-x -y deno@2\.9\.6 task test:e2e$/);
    const standIn = await run({ compile: built("exit 1") }, { DENORT_BIN: "/x" });
    assertEquals([standIn.code, standIn.calls.length], [0, 3]);
  },
});

const FAILURES: Readonly<Record<string, readonly [Tasks, last: string]>> = {
  "ok": [{ ok: [1] }, "12 passed, 1 failed"],
  "a test": [
    { test: [1, 'echo "FAILED | 10 passed | 2 failed (2s)"'] },
    "10 passed, 2 failed",
  ],
  "what is beside the tests": [{ test: [1, `echo "${PASSED}"`] }, "12 passed, 1 failed"],
  "the start of the tests": [{ test: [1] }, "0 passed, 1 failed"],
  "a run of no tests": [{ test: [0] }, "0 passed, 1 failed"],
  "compiling": [{ compile: [1] }, "12 passed, 1 failed"],
  "starting the program": [{ compile: built("exit 1") }, "12 passed, 1 failed"],
  "an end-to-end test of the program": [
    { compile: PROGRAM, "test:e2e": [1] },
    "12 passed, 1 failed",
  ],
};

for (const [what, [tasks, expected]] of Object.entries(FAILURES)) {
  Deno.test({
    name: `D2 .ci/run fails, and counts it, if this fails: ${what}`,
    ignore,
    async fn() {
      const { code, last } = await run(tasks);
      assertEquals([code, last], [1, expected]);
    },
  });
}
