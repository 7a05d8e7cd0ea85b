import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { bub, COMPILED } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const SOURCE = fromFileUrl(ROOT);
const IGNORE = { ignore: COMPILED || Deno.build.os === "windows" };

const SKILL = "---\nname: out\ndescription: The secret skill.\n---\nsecret";

/** A workspace whose links all lead out of it. */
async function setUp(bench: Workbench) {
  const { root, workspace } = bench;
  const outside = join(root, "out");
  await Deno.mkdir(join(outside, "skills", "out"), { recursive: true });
  await Deno.writeTextFile(join(outside, "secret"), "secret");
  await Deno.writeTextFile(join(outside, "skills", "out", "SKILL.md"), SKILL);
  await Deno.mkdir(join(workspace, ".agents"));
  await Deno.writeTextFile(join(workspace, "inside"), "inside");
  const links = {
    file: "../out/secret",
    folder: "../out",
    "AGENTS.md": "../out/secret",
    ".agents/skills": "../../out/skills",
    near: "inside",
  };
  for (const [name, target] of Object.entries(links)) {
    await Deno.symlink(target, join(workspace, name));
  }
  const narrow = [
    `--allow-read=${SOURCE},${root}/home,${workspace}`,
    `--allow-write=${root}/home,${workspace}`,
  ];
  const denied = ["--allow-read", "--allow-write", `--deny-read=${outside}`];
  const run = (args: readonly string[], permissions: readonly string[]) =>
    bub(args, {
      cwd: workspace,
      env: bench.env,
      permissions: [...permissions, "--allow-env", "--allow-net", "--allow-run"],
    });
  return { outside, narrow, denied, run };
}

Deno.test({
  name: "E4 under deno run no link leads a tool out of what the process may read",
  ...IGNORE,
  async fn() {
    await using bench = await openWorkbench();
    const { outside, narrow, denied, run } = await setUp(bench);
    const tries = [
      ["file", ",fs.read file"],
      ["folder/secret", ",fs.read folder/secret"],
      ["folder/new", ",fs.write folder/new x"],
      ["file", ",fs.edit file secret public"],
    ] as const;
    const says = [
      [narrow, /is not allowed; --allow-(read|write)=\S+ grants it\n$/],
      [denied, /is denied by --deny-read of the process\n$/],
    ] as const;
    await Promise.all(says.map(async ([permissions, sentence]) => {
      for (const [path, command] of tries) {
        const { code, stdout, stderr } = await run(["run", command], permissions);
        assertEquals([code, stdout], [1, ""], stderr);
        assertMatch(stderr, sentence);
        assertStringIncludes(
          stderr,
          `"${join(outside, path.replace(/.*\/|^file$/, "") || "secret")}"`,
        );
      }
      assertEquals((await run(["run", ",fs.read near"], permissions)).stdout, "inside");
      const skills = await run(["skills"], permissions);
      assertEquals([skills.code, skills.stdout.includes("secret")], [0, false]);
    }));
    assertEquals(await Deno.readTextFile(join(outside, "secret")), "secret");
    const names = await Array.fromAsync(Deno.readDir(outside), ({ name }) => name);
    assertEquals(names.sort(), ["secret", "skills"]);
  },
});

Deno.test({
  name: "E4 M4 under deno run an AGENTS.md that leads out is not read, which is said once",
  ...IGNORE,
  async fn() {
    await using bench = await openWorkbench();
    await using server = startFakeOpenAI({ script: () => ({ text: "ok" }) });
    const { narrow, denied, run } = await setUp(bench);
    await Deno.writeTextFile(
      join(bench.workspace, "env"),
      `BUB_MODEL=openai-compatible:x\nBUB_API_BASE=${server.base}\n`,
    );
    for (const permissions of [narrow, denied]) {
      const { code, stderr } = await run(["run", "hi", "--env-file", "env"], permissions);
      assertEquals(code, 0, stderr);
      assertMatch(stderr, /^bub: AGENTS\.md is not used: .*read access to .*secret" is .*\n$/);
    }
    assertEquals(server.requests.length, 2);
    for (const { body } of server.requests) {
      assertEquals(JSON.stringify(body).includes("secret"), false);
    }
  },
});

Deno.test({
  name: "E4 C2 under deno run code of run_code reads no further through a link",
  ...IGNORE,
  async fn() {
    await using bench = await openWorkbench();
    const { narrow, run } = await setUp(bench);
    const code = `
      print(await tools.fs_read("near"));
      for (const path of ["file", "folder/secret"]) {
        print(await tools.fs_read(path).catch(({ kind }) => kind));
      }`;
    const model = await bench.record({ calls: [["run_code", { code }]] }, { text: "ok" });
    await Deno.rename(model.slice("replay:".length), join(bench.workspace, "r.jsonl"));
    const turn = await run(
      ["run", "-o", "stream-json", "-m", "replay:r.jsonl", "--code-mode", "go"],
      narrow,
    );
    assertEquals(turn.code, 0, turn.stderr);
    const end = turn.stdout.split("\n").filter((line) => line.includes('"tool.end"'))
      .map((line) => JSON.parse(line)).find(({ name }) => name === "run_code");
    assertEquals(end?.output, "inside\npermission\npermission\n");
  },
});

Deno.test({
  name: "E3 E4 tools that are bounded change nothing of bub's own, by no link either",
  ...IGNORE,
  async fn() {
    await using bench = await openWorkbench();
    const { root, workspace } = bench;
    const { run } = await setUp(bench);
    const plugin = join(workspace, "plugin.ts");
    await Deno.mkdir(join(root, "home"));
    await Deno.writeTextFile(plugin, 'export default () => ({ name: "mine" });');
    await Deno.symlink("../out/real.jsonc", join(root, "home", "config.jsonc"));
    const config = JSON.stringify({ plugins: [plugin] });
    await Deno.writeTextFile(join(root, "out", "real.jsonc"), config);
    await Deno.writeTextFile(join(workspace, "env"), "A=1\n");
    await Deno.symlink("../home", join(workspace, "link"));
    await Deno.symlink("env", join(workspace, "other"));
    const paths = [
      "../home/config.jsonc",
      "../home/evil.ts",
      "link/evil.ts",
      "link/new/evil.ts",
      "../out/real.jsonc",
      "plugin.ts",
      "env",
      "other",
    ];
    const whole = ["--allow-read", "--allow-write"];
    const scoped = ["--deny-read=.env", "--deny-write=.env", "--deny-run"];
    await Promise.all([
      ...paths.map((path) => [path, whole, scoped] as const),
      ["link/evil.ts", whole, whole] as const,
      [
        "link/evil.ts",
        [`--allow-read=${SOURCE},${root}`, `--allow-write=${root}`],
        [],
      ] as const,
    ].map(async ([path, permissions, scope]) => {
      const args = ["run", `,fs.write path=${path} content=x`, "--env-file", "env", ...scope];
      const { code, stderr } = await run(args, permissions);
      assertEquals(code, 1, path);
      assertMatch(
        stderr,
        /write access to "\S+" is denied: bub's own files are outside of every scope\n$/,
      );
    }));
    const write = await run(["run", ",fs.write path=free content=x", ...scoped], whole);
    assertEquals(write.code, 0, write.stderr);
    assertEquals(await Deno.readTextFile(join(root, "out", "real.jsonc")), config);
    assertEquals(await Deno.readTextFile(join(workspace, "env")), "A=1\n");
    const names = await Array.fromAsync(Deno.readDir(join(root, "home")), ({ name }) => name);
    assertEquals(names.filter((name) => /evil|new/.test(name)), []);
  },
});
