import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import config from "../../deno.json" with { type: "json" };
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

const COMMANDS = ["run", "chat", "tools", "skills", "config", "demo", "help"];

Deno.test("L1 --version prints name and version", async () => {
  const { code, stdout } = await bub(["--version"]);
  assertEquals(code, 0);
  assertEquals(stdout.split(" ").slice(0, 2).join(" ").trim(), `bub ${config.version}`);
});

Deno.test("L1 without arguments and with --help: the help, which lists every command", async () => {
  const [bare, flag, word] = await Promise.all([bub([]), bub(["--help"]), bub(["help"])]);
  assertEquals([bare.code, flag.code, word.code], [0, 0, 0]);
  assertEquals([flag.stdout, word.stdout], [bare.stdout, bare.stdout]);
  for (const name of COMMANDS) assertMatch(bare.stdout, new RegExp(`^  ${name} `, "m"));
});

for (const name of COMMANDS) {
  Deno.test(`L1 bub ${name} --help shows its usage and the flags every command takes`, async () => {
    const { code, stdout } = await bub([name, "--help"]);
    assertEquals(code, 0);
    assertStringIncludes(stdout, `Usage: bub ${name}`);
    for (const flag of ["-w, --workspace DIR", "--env-file FILE", "-h, --help"]) {
      assertStringIncludes(stdout, flag);
    }
  });
}

for (
  const [args, message] of [
    [["rnu"], '"rnu" is not a command; did you mean run?'],
    [["run", "--modle", "x"], "--modle is not a flag of this command; did you mean --model?"],
    [["run", "hi", "--max-steps"], "--max-steps needs a value: --max-steps N"],
    [["run", "hi", "--max-steps=0"], '--max-steps must be a whole number from 1 on, not "0"'],
    [["run", "hi", "-o", "xml"], '-o must be text, json or stream-json, not "xml"'],
    [["--model", "x", "run"], "flags come behind the command"],
    [["tools", "a", "b"], "bub tools takes at most 1 word, but got 2"],
    [["run", "hi", "-w", "/nowhere/at/all"], "the workspace /nowhere/at/all does not exist"],
    [["run", "hi", "--env-file", "/nowhere/.env"], "there is no such file"],
  ] as const
) {
  Deno.test(`L3 bub ${args.join(" ")} is wrong usage: exit code 2`, async () => {
    await using bench = await openWorkbench();
    const { code, stdout, stderr } = await bub(args, { env: bench.env });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, message);
    assertEquals(stderr.trimEnd().split("\n").length, 1, "one line");
  });
}

Deno.test("L1 tools lists every tool, one alone with its arguments, and both as JSON", async () => {
  await using bench = await openWorkbench();
  const [list, one, json, unknown] = await Promise.all([
    bub(["tools"], { env: bench.env }),
    bub(["tools", "FS_READ"], { env: bench.env }),
    bub(["tools", "--json"], { env: bench.env }),
    bub(["tools", "fs.raed"], { env: bench.env }),
  ]);
  assertMatch(list.stdout, /^fs\.read +default +Reads /m);
  assertMatch(one.stdout, /^fs\.read \(fs_read for the model\), default\n/);
  assertStringIncludes(one.stdout, '"path"');
  const tools: { name: string; parameters: { properties: object } }[] = JSON.parse(json.stdout);
  assertEquals(list.stdout.trimEnd().split("\n").length, tools.length);
  const read = tools.find(({ name }) => name === "fs.read");
  assert(read !== undefined && "path" in read.parameters.properties);
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.stderr, "did you mean fs.read");
  const made = await Array.fromAsync(Deno.readDir(bench.root), ({ name }) => name);
  assertEquals(made, ["work"], "listing makes no home folder");
});

Deno.test("L1 L5 config shows values, where they come from, and no secret", async () => {
  await using bench = await openWorkbench();
  const home = join(bench.root, "home");
  await Deno.mkdir(home);
  await Deno.writeTextFile(
    join(home, "config.jsonc"),
    '{"max_steps": 5, "groq_api_key": "sk-secret"}',
  );
  const env = { ...bench.env, BUB_MODEL: "openai:gpt-5", BUB_API_KEY: "sk-secret" };
  const { code, stdout } = await bub(["config"], { env });
  assertEquals(code, 0);
  assertMatch(stdout, /^model +environment +openai:gpt-5$/m);
  assertMatch(stdout, /^max_steps +config +5$/m);
  assertMatch(stdout, /^max_tokens +default +16384$/m);
  assertMatch(stdout, /^groq_api_key +config +\(hidden\)$/m);
  const json = await bub(["config", "--json"], { env });
  assertEquals(JSON.parse(json.stdout).config_file, join(home, "config.jsonc"));
  assertEquals(`${stdout}${json.stdout}`.includes("sk-secret"), false);
});

Deno.test("B73 without a home folder run answers, says that nothing is saved, and leaves nothing", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  for (const env of [{}, { HOME: "" }, { HOME: "/nowhere/at/all" }]) {
    const { code, stdout, stderr } = await bub(["run", "hi", "-m", model], {
      env,
      cwd: bench.workspace,
    });
    assertEquals([code, stdout], [0, "ok\n"], stderr);
    assertMatch(stderr, /^bub: nothing will be saved: [^\n]*\n$/);
    assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
  }
});

Deno.test("B73 BUB_HOME with blanks and other letters in it, and no HOME", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const home = join(bench.root, "a b", "ü");
  const { code, stderr } = await bub(["run", "hi", "-m", model], { env: { BUB_HOME: home } });
  assertEquals([code, stderr], [0, ""]);
  assert((await Deno.stat(join(home, "tapes"))).isDirectory);
});

Deno.test("E4 under narrow permissions: one line that says what is missing, and no prompt", async () => {
  await using bench = await openWorkbench();
  const source = fromFileUrl(ROOT);
  const env = { ...bench.env };
  const { code, stderr } = await bub(["run", ",help"], {
    env,
    cwd: bench.workspace,
    permissions: [`--allow-read=${source},${bench.root}`, "--allow-env"],
  });
  assertEquals(code, 2, stderr);
  assertMatch(stderr, /^bub: BUB_HOME=.* write access to .*--allow-write=[^\n]*\n$/);
  const blind = await bub(["config"], { env, permissions: [`--allow-read=${source}`] });
  assertEquals([blind.code, blind.stdout], [2, ""]);
  assertEquals(blind.stderr.trimEnd().split("\n").length, 1, blind.stderr);
});
