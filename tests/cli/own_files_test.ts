import { join } from "@std/path";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

const windows = Deno.build.os === "windows";

Deno.test({
  name: "B19 E4 what Deno guards from the program is said to be so, with the way around it",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const run = (command: string) =>
      bub(["run", command], { env: bench.env, cwd: bench.workspace });
    const refused = await run(",fs.read /proc/self/status");
    assertEquals(refused, {
      code: 1,
      stdout: "",
      stderr:
        "bub: /proc/self/status is guarded by Deno, as /proc, /dev and /sys are; --allow-all of " +
        "the process, without a scope, grants it, and bash, where it may run, can read it, with " +
        "cat\n",
    });
    assertEquals((await run(",bash 'grep -c ^Name: /proc/self/status'")).stdout, "1\n");
    const write = await run(",fs.write /sys/bub x");
    assertStringIncludes(write.stderr, "/sys/bub is guarded by Deno");
    assertStringIncludes(write.stderr, ", and bash, where it may run, can write it\n");
  },
});

Deno.test({
  name: "B19 B73 L3 a pipe, a folder or a device in the place of a file is exit code 2, at once",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const path = (name: string) => join(bench.root, name);
    await new Deno.Command("mkfifo", { args: [path("pipe")] }).output();
    await Deno.symlink("/dev/zero", path("zero"));
    await Deno.mkdir(path("folder"));
    const run = (...args: string[]) =>
      bub(["run", "hi", ...args], { env: bench.env, cwd: bench.workspace });
    for (const [name, what] of [["pipe", "named pipe"], ["zero", "device"], ["folder", "folder"]]) {
      const problem = `${path(`${name}`)} is a ${what}, not a regular file\n`;
      const env = await run("--env-file", path(`${name}`));
      assertEquals([env.code, env.stderr], [2, `bub: --env-file ${problem}`]);
      const replay = await run("-m", `replay:${path(`${name}`)}`);
      assertEquals([replay.code, replay.stderr], [2, `bub: ${problem}`]);
      const record = await run("--record", path(`${name}`), "-m", "openai-compatible:x");
      assertEquals([record.code, record.stderr], [2, `bub: ${problem}`]);
    }
    await Deno.mkdir(path("home"), { recursive: true });
    await new Deno.Command("mkfifo", { args: [path("home/config.jsonc")] }).output();
    const config = await run();
    assertEquals([config.code, config.stdout], [2, ""]);
    assertEquals(
      config.stderr,
      `bub: ${path("home/config.jsonc")} is a named pipe, not a regular file\n`,
    );
  },
});

Deno.test("M2 L3 a file that is no recording is said to be none: exit code 2", async () => {
  await using bench = await openWorkbench();
  for (const [name, text] of [["notes", "just\nwords\n"], ["empty", ""], ["odd", "\0\0"]]) {
    const path = join(bench.root, `${name}`);
    await Deno.writeTextFile(path, `${text}`);
    const { code, stderr } = await bub(["run", "hi", "-m", `replay:${path}`], { env: bench.env });
    assertEquals([code, stderr], [
      2,
      `bub: ${path} is no recording: no line of it is an entry\n`,
    ]);
  }
});

Deno.test("M3 L5 a key that no header takes is exit code 2 at once, and not shown", async () => {
  await using bench = await openWorkbench();
  const model = { BUB_MODEL: "openai-compatible:x", BUB_API_BASE: "http://127.0.0.1:9/v1" };
  for (const key of ["secret✓", "sec\nret"]) {
    const env = { ...bench.env, ...model, BUB_API_KEY: key };
    assertEquals(await bub(["run", "hi"], { env }), {
      code: 2,
      stdout: "",
      stderr: "bub: BUB_API_KEY has a character that no key has: a line break or one beyond " +
        "Latin-1\n",
    });
  }
});

Deno.test("W1 a fetch of this machine that fails names the proxy that caught it", async () => {
  await using bench = await openWorkbench();
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = closed.addr;
  closed.close();
  const env = { ...bench.env, HTTP_PROXY: `http://127.0.0.1:${port}` };
  const { code, stderr } = await bub(["run", ",web.fetch http://localhost:1/"], { env });
  assertEquals(code, 1);
  assertStringIncludes(stderr, "; it went through the proxy of HTTP_PROXY, which NO_PROXY=");
});
