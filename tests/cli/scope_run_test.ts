import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub, COMPILED, type SpawnOptions } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const windows = Deno.build.os === "windows";

/** A workspace with a file, and one outside of it. */
async function setUp(bench: Workbench) {
  const outside = join(bench.root, "outside.txt");
  await Deno.writeTextFile(join(bench.workspace, "a.txt"), "hello\n");
  await Deno.writeTextFile(outside, "not yours\n");
  const run = (args: readonly string[], options: SpawnOptions = {}) =>
    bub(args, { cwd: bench.workspace, ...options, env: { ...bench.env, ...options.env } });
  return { outside, run };
}

const refused = (access: string, target: string) =>
  `bub: ${access} access to "${target}" is not allowed; --allow-${access}=${target} grants it\n`;

Deno.test({
  name: "E3 E4 L3 what the scope of run denies is exit code 1 with the flag, and the rest works",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const { outside, run } = await setUp(bench);
    const scope = ["--allow-read=.", "--allow-run=bash"];
    const [read, other, write, shell] = await Promise.all([
      run(["run", ...scope, ",fs.read a.txt"]),
      run(["run", ",fs.read ../outside.txt", ...scope]),
      run(["run", ...scope, ",fs.write b.txt x"]),
      run(["run", ...scope, `,cat ${outside}`]),
    ]);
    assertEquals([read.code, read.stdout, read.stderr], [0, "hello\n", ""]);
    assertEquals([other.code, other.stdout, other.stderr], [1, "", refused("read", outside)]);
    const target = join(bench.workspace, "b.txt");
    assertEquals([write.code, write.stdout, write.stderr], [1, "", refused("write", target)]);
    assertEquals([shell.code, shell.stdout], [0, "not yours\n"], "a shell is a way out");
  },
});

Deno.test({
  name: "E3 a program of the workspace is not what a name means, though PATH leads there first",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const { run } = await setUp(bench);
    await Deno.mkdir(join(bench.workspace, "bin"));
    for (const program of ["bash", "bin/bash"]) {
      const text = "#!/bin/sh\necho another";
      await Deno.writeTextFile(join(bench.workspace, program), text, { mode: 0o755 });
    }
    const env = { PATH: `.:bin:${Deno.env.get("PATH")}` };
    for (
      const scope of [["--allow-run=bash"], ["--allow-run=bash", "--allow-read"], ["--deny-net"]]
    ) {
      const shell = await run(["run", ...scope, ",bash 'echo $0'"], { env });
      assertEquals([shell.code, shell.stdout], [0, "bash\n"], shell.stderr);
    }
  },
});

Deno.test("E3 a bare scope flag in front of a message leaves it the message", async () => {
  await using bench = await openWorkbench();
  const { outside, run } = await setUp(bench);
  const read = await run(["run", "--allow-read", `,fs.read ${outside}`]);
  assertEquals([read.code, read.stdout], [0, "not yours\n"]);
});

Deno.test("E3 tapes, configuration and recordings stay outside of the scope", async () => {
  await using bench = await openWorkbench();
  const { run } = await setUp(bench);
  const model = await bench.record({ text: "ok" });
  const record = join(bench.root, "record.jsonl");
  const scope = "--allow-read=nothing --deny-write --deny-net".split(" ");
  const turn = await run(["run", "hi", "-m", model, "--record", record, ...scope]);
  assertEquals([turn.code, turn.stdout, turn.stderr], [0, "ok\n", ""]);
  assertStringIncludes(await Deno.readTextFile(record), '"ok"');
  assertMatch((await run(["tape", "list"])).stdout, /cli:local +hi/);
});

Deno.test("E3 L4 the scope of config.jsonc bounds run, chat and skills; a flag replaces its key", async () => {
  await using bench = await openWorkbench();
  const { outside, run } = await setUp(bench);
  const skill = join(bench.workspace, ".agents", "skills", "mine");
  await Deno.mkdir(skill, { recursive: true });
  const text = "---\nname: mine\ndescription: Mine.\n---\nDo it.\n";
  await Deno.writeTextFile(join(skill, "SKILL.md"), text);
  assertMatch((await run(["skills"])).stdout, /^mine /m);
  await Deno.mkdir(join(bench.root, "home"), { recursive: true });
  const config = '{ "scope": { "allow-read": ["a.txt"], "deny-net": true } }';
  await Deno.writeTextFile(join(bench.root, "home", "config.jsonc"), config);
  const read = `,fs.read ${outside}`;
  const [skills, own, other, chat, flag, net] = await Promise.all([
    run(["skills"]),
    run(["run", ",fs.read a.txt"]),
    run(["run", read]),
    run(["chat"], { stdin: { text: `${read}\n` } }),
    run(["run", read, "--allow-read"]),
    run(["run", ",web.fetch http://127.0.0.1:1", "--allow-read", "--allow-net"]),
  ]);
  assertEquals(skills.stdout.includes("mine"), false);
  assertEquals([own.code, own.stdout], [0, "hello\n"]);
  assertEquals([other.code, other.stderr], [1, refused("read", outside)]);
  assertEquals([chat.code, chat.stderr], [1, refused("read", outside)]);
  assertEquals([flag.code, flag.stdout], [0, "not yours\n"]);
  assertMatch(net.stderr, /net access to "127\.0\.0\.1:1" is denied by --deny-net\n$/);
});

Deno.test("E3 paths of a scope start at the workspace, wherever the program was started", async () => {
  await using bench = await openWorkbench();
  const { run } = await setUp(bench);
  const args = ["run", "-w", bench.workspace, "--allow-read=a.txt"];
  const [inside, above] = await Promise.all([
    run([...args, ",fs.read a.txt"], { cwd: bench.root }),
    run([...args, ",fs.read ../outside.txt"], { cwd: bench.root }),
  ]);
  assertEquals([inside.code, inside.stdout], [0, "hello\n"]);
  assertEquals(above.code, 1);
});

Deno.test({
  name: "E3 E4 a scope in a narrow process leaves what both allow",
  ignore: COMPILED || windows,
  async fn() {
    await using bench = await openWorkbench();
    const { outside, run } = await setUp(bench);
    const home = join(bench.root, "home");
    const permissions = [
      `--allow-read=${fromFileUrl(ROOT)},${home},${bench.workspace}`,
      `--allow-write=${home}`,
      "--allow-env",
    ];
    const scope = ["--allow-read=.,..", "--allow-write=.", "--allow-run", "--allow-net"];
    const [read, other, write, shell, fetch] = await Promise.all(
      [",fs.read a.txt", `,fs.read ${outside}`, ",fs.write b.txt x", ",bash true"].concat(
        ",web.fetch http://127.0.0.1:1/",
      ).map((line) => run(["run", line, ...scope], { permissions })),
    );
    assertEquals([read?.code, read?.stdout], [0, "hello\n"], read?.stderr);
    assertEquals([other?.code, other?.stderr], [1, refused("read", outside)]);
    const target = join(bench.workspace, "b.txt");
    assertEquals([write?.code, write?.stderr], [1, refused("write", target)]);
    assertEquals([shell?.code, shell?.stderr], [1, refused("run", "bash")]);
    assertEquals([fetch?.code, fetch?.stderr], [1, refused("net", "127.0.0.1:1")]);
  },
});

Deno.test({
  name: "E3 E4 C2 code of run_code reaches no further than the scope, and goes on after a denial",
  ignore: windows,
  async fn() {
    await using bench = await openWorkbench();
    const { outside, run } = await setUp(bench);
    await Deno.symlink("../outside.txt", join(bench.workspace, "link.txt"));
    const code = `
      print(await tools.fs_read("a.txt"));
      const tries = [
        tools.fs_read("link.txt"),
        tools.fs_read(${JSON.stringify(outside)}),
        tools.attach_image("../outside.png"),
        tools.bash("true"),
        tools.web_fetch("http://127.0.0.1:9/"),
        tools.fs_write({ path: "b.txt", content: "x" }),
      ];
      for (const { reason } of await Promise.allSettled(tries)) {
        print(reason?.kind, /--allow-\\w+/.exec(reason?.message)?.[0]);
      }`;
    const flags = [
      "--model",
      await bench.record({ calls: [["run_code", { code }]] }, { text: "ok" }),
    ];
    const scope = ["--allow-read=.", "--code-mode"];
    const turn = await run(["run", "-o", "stream-json", ...flags, ...scope, "go"]);
    assertEquals(turn.code, 0, turn.stderr);
    const ends = turn.stdout.split("\n").filter((line) => line.includes('"tool.end"'))
      .map((line) => JSON.parse(line));
    const denied = ["read", "read", "read", "run", "net", "write"]
      .map((access) => `permission --allow-${access}\n`).join("");
    assertEquals(ends.find(({ name }) => name === "run_code").output, `hello\n\n${denied}`);
    assertEquals(turn.stdout.includes("not yours"), false);
  },
});
