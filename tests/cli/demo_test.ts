import { join } from "@std/path";
import { assertEquals, assertMatch } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

Deno.test({
  name: "L1 demo mends a failing test with a recorded model and real tools, and leaves nothing",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const { code, stdout, stderr } = await bub(["demo"], {
      env: { TMPDIR: bench.workspace, BUB_MAX_STEPS: "1", BUB_HOME: `${bench.root}/home` },
      cwd: bench.root,
    });
    assertEquals(code, 0, stderr);
    assertMatch(stdout, /^The test passes now\. /);
    assertMatch(stderr, /its words are recorded, and the tools run for real/);
    assertMatch(stderr, /^bash command="sh test\.sh" {2}failed, .*exited with code 1$/m);
    assertMatch(stderr, /^fs\.edit path=average\.sh .* {2}ok, /m);
    assertMatch(stderr, /^Checked: the test failed before, and it passes now\.$/m);
    assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
    const left = await Array.fromAsync(Deno.readDir(bench.root), ({ name }) => name);
    assertEquals(left, ["work"], "the user's home is not touched");
  },
});

Deno.test({
  name: "L1 demo says when the program it needs is missing",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const { code, stderr } = await bub(["demo"], {
      env: { PATH: bench.workspace, TMPDIR: bench.workspace },
    });
    assertEquals(code, 2);
    assertMatch(stderr, /^bub: the demo needs the program sh, which was not found$/m);
    assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
  },
});

Deno.test({
  name: "L1 demo exits with 1 when the test still fails, whatever the recorded model says",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    await Deno.writeTextFile(join(bench.root, "sh"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { code, stdout, stderr } = await bub(["demo"], {
      env: { PATH: bench.root, TMPDIR: bench.workspace },
    });
    assertEquals(code, 1, stderr);
    assertMatch(stdout, /^The test passes now\. /);
    assertMatch(stderr, /^Checked: the test still fails\.$/m);
  },
});
