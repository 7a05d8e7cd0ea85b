import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import config from "../../deno.json" with { type: "json" };
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub, COMPILED } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

const COMMANDS = ["run", "chat", "tools", "skills", "config", "doctor", "demo", "help"];

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
    [["run", "hi", "-o", "xml"], '--output must be text, json or stream-json, not "xml"'],
    [
      ["run", "hi", "--bogus"],
      "--bogus is not a flag of this command; --help shows those it takes",
    ],
    [["--model", "x", "run", "hi"], "flags come behind the command: bub run --model x hi"],
    [["--model", "x"], "flags come behind the command: bub COMMAND --model x"],
    [["run", "hi", "--tools", "fs.read,HELP"], "--tools: help is only a text command"],
    [["run", "hi", "-m", "anthrpic:x"], "did you mean anthropic?"],
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

Deno.test("B73 config without a home folder shows none, and makes nothing", async () => {
  await using bench = await openWorkbench();
  const options = { env: { TMPDIR: bench.workspace }, cwd: bench.workspace };
  const [text, json] = await Promise.all([
    bub(["config"], options),
    bub(["config", "--json"], options),
  ]);
  const notice = "there is no home folder: HOME is not set; BUB_HOME can name one";
  assertEquals([text.code, text.stderr], [0, `bub: ${notice}\n`]);
  assertMatch(text.stdout, /^home +none$/m);
  const { home, config_file } = JSON.parse(json.stdout);
  assertEquals([home, config_file], [null, null]);
  assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
});

Deno.test("E3 L4 config shows the scope in force, and that it is the configuration's", async () => {
  await using bench = await openWorkbench();
  await Deno.mkdir(join(bench.root, "home"));
  const scope = { "allow-read": ["src"], "deny-net": true };
  const file = join(bench.root, "home", "config.jsonc");
  await Deno.writeTextFile(file, JSON.stringify({ scope }));
  const { code, stdout } = await bub(["config"], { env: bench.env });
  assertEquals(code, 0);
  const shown = /^scope +config +(.*)$/m.exec(stdout)?.[1] ?? "";
  assertEquals(JSON.parse(shown), scope);
});

Deno.test("B73 without a home folder run answers, says that nothing is saved, and leaves nothing", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  for (const env of [{}, { HOME: "" }, { HOME: join(bench.workspace, "not", "there") }]) {
    const { code, stdout, stderr } = await bub(["run", "hi", "-m", model], {
      env,
      cwd: bench.workspace,
    });
    assertEquals([code, stdout], [0, "ok\n"], stderr);
    assertMatch(stderr, /^bub: nothing will be saved: [^\n]*\n$/);
    assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
  }
});

Deno.test({
  name: "B73 E4 without any folder to write to run answers from memory, and only bash fails",
  ignore: COMPILED || Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const calls = [["fs_read", { path: "a.txt" }], ["bash", { command: "true" }]] as const;
    const model = await bench.record({ calls }, { text: "ok" });
    await Deno.writeTextFile(join(bench.workspace, "a.txt"), "x");
    const folder = join(bench.root, "user", ".bub");
    const { code, stdout, stderr } = await bub(["run", "hi", "-m", model], {
      env: { HOME: join(bench.root, "user") },
      cwd: bench.workspace,
      permissions: [
        `--allow-read=${fromFileUrl(ROOT)},${bench.root}`,
        "--allow-env",
        "--allow-run",
      ],
    });
    assertEquals([code, stdout], [0, "ok\n"], stderr);
    const [notice, ...lines] = stderr.trimEnd().split("\n");
    assertStringIncludes(notice ?? "", `bub: nothing will be saved: write access to "${folder}"`);
    assertEquals(lines.length, 2, stderr);
    assertMatch(stderr, /^fs\.read path=a\.txt {2}ok, /m);
    assertMatch(
      stderr,
      /^bash .* failed, .*output of commands cannot be kept: write access to .* is not /m,
    );
    assertMatch(stderr, new RegExp(`--allow-write=${folder}/shells grants it$`, "m"));
  },
});

Deno.test("B73 BUB_HOME with blanks and other letters in it, and no HOME", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const home = join(bench.root, "a b", "ü");
  const { code, stderr } = await bub(["run", "hi", "-m", model], { env: { BUB_HOME: home } });
  assertEquals([code, stderr], [0, ""]);
  assert((await Deno.stat(join(home, "tapes"))).isDirectory);
});

Deno.test("E4 under narrow permissions: one line that says what is missing, and no prompt", {
  ignore: COMPILED,
}, async () => {
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
  assertEquals(blind.code, 0);
  assertMatch(blind.stderr, /^bub: .*env access to "HOME" .*--allow-env=HOME [^\n]*\n$/);
});

Deno.test("E4 where Deno may not read the source: one line that names the flag, exit code 2", {
  ignore: COMPILED,
}, async () => {
  const { code, stdout, stderr } = await bub(["run", "hi"], { permissions: ["--allow-env"] });
  assertEquals([code, stdout], [2, ""]);
  assertEquals(
    stderr,
    `bub: bub loads its own source as it goes and may not read it; ` +
      `--allow-read=${fromFileUrl(ROOT)} grants it\n`,
  );
});

Deno.test("E4 M1 where BUB_MODEL may not be read, that is said in place of asking for it", {
  ignore: COMPILED,
}, async () => {
  await using bench = await openWorkbench();
  const { code, stderr } = await bub(["run", "hi", "-q"], {
    env: { BUB_MODEL: "openai:gpt-5" },
    cwd: bench.workspace,
    permissions: ["--allow-read", "--allow-write", "--allow-net"],
  });
  assertEquals(code, 2);
  assertMatch(
    stderr,
    /no model is chosen; env access to "BUB_MODEL" is not allowed; --allow-env=BUB_MODEL grants it, /,
  );
});

Deno.test("L1 L5 no login of an address is shown, by config or in a mistake", async () => {
  await using bench = await openWorkbench();
  const env = {
    ...bench.env,
    BUB_API_BASE: '{"openai": "http://me:s3cret@h/v1", "groq": "https://h/v1"}',
    BUB_GROQ_API_BASE: "http:me:s3cr@t/x@h/v1",
    BUB_OLLAMA_API_BASE: "http://me:s3cr@t@h/v1",
  };
  const text = await bub(["config"], { env });
  assertMatch(text.stdout, /^ollama_api_base +environment +http:\/\/\(hidden\)@h\/v1$/m);
  const json = await bub(["config", "--json"], { env });
  const { settings } = JSON.parse(json.stdout);
  const base = settings.find(({ key }: { key: string }) => key === "api_base");
  assertEquals(base.value, { openai: "http://(hidden)@h/v1", groq: "https://h/v1" });
  const wrong = await bub(["config"], {
    env: { ...bench.env, BUB_API_BASE: "ftp://me:s3cret@h/v1" },
  });
  assertStringIncludes(wrong.stderr, 'not "ftp://(hidden)@h/v1"');
  assertEquals(`${text.stdout}${json.stdout}${wrong.stderr}`.includes("s3cr"), false);
});
