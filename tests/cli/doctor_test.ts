import { basename, fromFileUrl, join } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { RawServer, respond } from "../environment/raw_server.ts";
import { bub, COMPILED, type SpawnOptions } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

interface Report {
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly [section: string]: unknown;
}

/** What `bub doctor --json` reports; its exit code must fit. */
async function examine(
  bench: Workbench,
  { args = [], ...options }: SpawnOptions & { readonly args?: readonly string[] } = {},
): Promise<Report & { readonly text: string }> {
  const { code, stdout, stderr } = await bub(["doctor", "--json", ...args], {
    cwd: bench.workspace,
    ...options,
    env: { ...bench.env, ...options.env },
  });
  assertEquals(stderr, "");
  const report: Report = JSON.parse(stdout);
  assertEquals([code, report.problems.length === 0], [report.ok ? 0 : 1, report.ok], stdout);
  return { ...report, text: stdout };
}

/** A server that gives every request this answer. */
function answering(status: string, headers: readonly string[] = []): RawServer {
  return new RawServer(({ connection }) => respond(connection, status, [...headers], "{}"));
}

const settings = (base: string) => ({
  BUB_MODEL: "openai-compatible:x",
  BUB_API_BASE: `${base}/v1`,
});

Deno.test("L1 doctor shows the program, its rights, its places and the model: all is there", async () => {
  await using bench = await openWorkbench();
  await using server = answering("200 OK");
  const env = { ...settings(server.url), BUB_API_KEY: "sk-canary" };
  const report = await examine(bench, { env });
  const { version, deno, run_code } = report.program as Record<string, unknown>;
  assertEquals([version, deno, run_code], [config.version, Deno.version.deno, true]);
  const rights = { read: "all", write: "all", net: "all", run: "all", env: "all", sys: "all" };
  assertEquals(report.process_may, { ...rights, ffi: "nothing that is known" });
  const home = join(bench.root, "home");
  assertEquals(report.folders, {
    workspace: bench.workspace,
    home,
    home_is_writable: true,
    config_file: null,
    env_file: null,
    tapes: join(home, "tapes"),
    media: join(home, "media"),
  });
  assertEquals(report.model, {
    model: "openai-compatible:x",
    from: "environment",
    fallback_models: [],
    address: `${server.url}/v1`,
    key: "known",
    answer: "status 200",
  });
  assertEquals([report.problems, report.notes], [[], []]);
  const [request] = server.requests;
  assertMatch(request?.head ?? "", /^GET \/v1\/models HTTP/);
  assertMatch(request?.head ?? "", /^authorization: Bearer sk-canary\r$/im);
  assertEquals(report.text.includes("sk-canary"), false);
});

Deno.test("L1 doctor in words says the same, and makes nothing in the home folder", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const run = (...args: string[]) =>
    bub(["doctor", ...args], { env: bench.env, cwd: bench.workspace });
  const [fine, missing] = await Promise.all([run("-m", model), run()]);
  assertEquals([fine.code, fine.stderr], [0, ""]);
  assertMatch(fine.stdout, new RegExp(`^  workspace +${bench.workspace}$`, "m"));
  assertMatch(fine.stdout, /^tools may\n {2}read +all that the process may$/m);
  assertMatch(fine.stdout, /\nEverything that a run needs is there\.\n$/);
  assertEquals([missing.code, missing.stderr], [1, ""]);
  assertMatch(missing.stdout, /\nproblem: no model is chosen; set BUB_MODEL, [^\n]*\n$/);
  const names = await Array.fromAsync(Deno.readDir(bench.root), ({ name }) => name);
  assertEquals(names.sort(), ["recording-0.jsonl", "work"]);
});

for (
  const [status, problem] of [
    ["401 Unauthorized", "openai-compatible refuses the key (status 401); set one that is valid"],
    ["503 Busy", "openai-compatible fails at the moment (status 503); try again later"],
    ["404 Not Found", undefined],
  ] as const
) {
  Deno.test(`L1 doctor asks the model's server, and for ${status} tells what to do`, async () => {
    await using bench = await openWorkbench();
    await using server = answering(status);
    const env = { ...settings(server.url), BUB_API_KEY: "sk-canary" };
    const { problems } = await examine(bench, { env });
    assertEquals(problems, problem === undefined ? [] : [problem]);
  });
}

Deno.test("L1 L5 doctor sends no key where a server redirects to another one", async () => {
  await using bench = await openWorkbench();
  await using other = answering("200 OK");
  await using server = answering("302 Found", [`Location: ${other.url}/v1/models`]);
  const env = { ...settings(server.url), BUB_API_KEY: "sk-canary" };
  const { problems } = await examine(bench, { env });
  assertEquals(problems, [
    `openai-compatible cannot be asked at ${server.url}/v1: it redirects to ${other.url}, where no ` +
    "key is sent",
  ]);
  assertEquals(other.requests.length, 0);
});

Deno.test("L1 doctor says what is wrong with a model that no server needs to be asked for", async () => {
  await using bench = await openWorkbench();
  await using server = answering("200 OK");
  const closed = settings(server.url);
  await server[Symbol.asyncDispose]();
  const nowhere = join(bench.root, "nowhere.jsonl");
  for (
    const [env, pattern] of [
      [{ BUB_MODEL: "openai:x" }, /^no API key for openai; set BUB_OPENAI_API_KEY, /],
      [{ BUB_MODEL: "opnai:x" }, /^unknown provider "opnai" .*did you mean openai\?$/],
      [{ BUB_MODEL: `replay:${nowhere}` }, /^no recording at .*nowhere\.jsonl$/],
      [closed, /^openai-compatible cannot be asked at http:.*: cannot fetch .*refused/i],
      [{ ...closed, BUB_FALLBACK_MODELS: '["groq:x"]' }, /^no API key for groq; /],
    ] as const
  ) {
    const { problems } = await examine(bench, { env });
    assertEquals(problems.length, 1);
    assertMatch(problems[0] ?? "", pattern);
  }
  const offline = await examine(bench, { env: closed, args: ["--offline"] });
  assertEquals([offline.ok, (offline.model as { answer: string }).answer], [true, "not asked"]);
});

Deno.test("L1 B73 doctor finds a home folder that takes nothing, and what the default costs", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const file = join(bench.root, "file");
  await Deno.writeTextFile(file, "");
  const args = ["-m", model];
  const named = await examine(bench, { args, env: { BUB_HOME: join(file, "home") } });
  assertEquals(named.problems.length, 1);
  assertMatch(named.problems[0] ?? "", /^BUB_HOME=.* cannot be used: /);
  const user = await examine(bench, {
    args,
    env: { BUB_HOME: "", HOME: join(bench.root, "gone") },
  });
  assertEquals(user.problems, []);
  assertMatch(user.notes.join("\n"), /^nothing would be saved: .*; BUB_HOME can name another/);
});

Deno.test("L1 L4 doctor reports a mistake in the configuration with the rest it can see", async () => {
  await using bench = await openWorkbench();
  await Deno.mkdir(join(bench.root, "home"));
  const file = join(bench.root, "home", "config.jsonc");
  await Deno.writeTextFile(file, '{\n  "modle": 1\n}');
  const { problems, program } = await examine(bench);
  assertEquals(problems, [`${file}:2: "modle" is not a known key; did you mean "model"?`]);
  assert(program !== undefined);
});

Deno.test("L1 H1 S1 doctor counts plugins and skills, and names the broken ones", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const plugin = join(bench.workspace, "broken.js");
  await Deno.writeTextFile(plugin, "export default 1;");
  const skill = join(bench.workspace, ".agents", "skills", "bad");
  await Deno.mkdir(skill, { recursive: true });
  await Deno.writeTextFile(join(skill, "SKILL.md"), "no front matter");
  const report = await examine(bench, { args: ["-m", model, "--plugin", plugin] });
  assertEquals(report.plugins, { loaded: 0, broken: 1 });
  assertStringIncludes(report.problems[0] ?? "", `the plugin ${plugin} is broken: its default`);
  assertStringIncludes(report.notes[0] ?? "", `no skill is taken from ${skill}`);
});

Deno.test("E3 L1 doctor shows what a scope leaves to tools", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "ok" });
  const scope = "--allow-read=.,../x --allow-run --deny-read=.env --deny-net".split(" ");
  const { tools_may } = await examine(bench, { args: ["-m", model, ...scope] });
  assertEquals(tools_may, {
    read: "., ../x, but not .env",
    write: "nothing",
    net: "nothing",
    run: "all that the process may",
    env: "nothing",
  });
  const without = await examine(bench, { args: ["-m", model, "--allow-read"] });
  assertEquals(without.notes, [
    'the tool bash cannot run: run access to "bash" is not allowed; --allow-run=bash grants it',
  ]);
  const denied = await examine(bench, { args: ["-m", model, "--deny-net=a.example"] });
  assertEquals(
    (denied.tools_may as Record<string, string>).net,
    "all that the process may, but not a.example",
  );
});

Deno.test({
  name: "E4 L1 doctor under narrow rights lists what it knows of, and what a scope cannot give",
  ignore: COMPILED || Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ text: "ok" });
    const report = await examine(bench, {
      args: ["-m", model, "--allow-read=.,/etc", "--allow-net=a.example,*.b.example"],
      permissions: [
        `--allow-read=${fromFileUrl(ROOT)},${bench.root}`,
        "--allow-env=BUB_HOME,PATH",
        "--allow-net=a.example",
      ],
    });
    const folders = `at least: ${bench.root}, ${fromFileUrl(ROOT).replace(/\/$/, "")}`;
    assertEquals(report.process_may, {
      read: folders,
      write: "nothing that is known",
      net: "at least: a.example",
      run: "nothing that is known",
      env: "at least: PATH, BUB_HOME",
      sys: "nothing that is known",
      ffi: "nothing that is known",
    });
    const { read, net } = report.tools_may as Record<string, string>;
    assertEquals(read, "., /etc (which the process may not)");
    assertEquals(net, "a.example, *.b.example (which the process may not)");
    assertMatch(report.problems[0] ?? "", /^BUB_HOME=.*--allow-write=.* grants it$/);
    assertMatch(report.notes.join("\n"), /the tool bash cannot run: .*--allow-run=bash grants it/);
    assertMatch(report.notes.join("\n"), /run_code cannot run: .*--allow-run=\S+ grants it/);
  },
});

Deno.test({
  name: "E4 L1 doctor names what the scope names, where the process has it and cannot list it",
  ignore: COMPILED || Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const other = await Deno.realPath(await Deno.makeTempDir());
    try {
      const { process_may } = await examine(bench, {
        args: [
          "-m",
          await bench.record({ text: "ok" }),
          `--allow-read=${other}`,
          "--allow-run=cat",
        ],
        permissions: [
          `--allow-read=${fromFileUrl(ROOT)},${bench.root},${other}`,
          `--allow-write=${bench.root}`,
          "--allow-env",
          "--allow-run=cat",
          "--deny-net",
        ],
      });
      const { read = "", write, net, run, env } = process_may as Record<string, string>;
      assertStringIncludes(read, `, ${other}`);
      assertEquals([write, net, run, env], [
        `at least: ${bench.root}`,
        "nothing",
        "at least: cat",
        "all",
      ]);
    } finally {
      await Deno.remove(other);
    }
  },
});

Deno.test({
  name: "E3 E4 L1 doctor finds the shell that a run finds, and it works",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using bench = await openWorkbench();
    const model = await bench.record({ text: "ok" });
    const look = async (args: readonly string[], permissions?: readonly string[]) => {
      const options = { cwd: bench.workspace, ...permissions && { permissions } };
      const { shell, notes } = await examine(bench, { args: ["-m", model, ...args], ...options });
      const command = ["run", ...args, ",echo $0"];
      const { code, stdout } = await bub(command, { env: bench.env, ...options });
      assertEquals([code, notes], [0, []], stdout);
      const { name = "", program = "" } = shell as Record<string, string>;
      assertEquals([stdout, basename(program)], [`${name}\n`, name]);
      return name;
    };
    assertEquals(await look([]), "bash");
    assertEquals(await look(["--allow-read=.", "--allow-run=sh"]), "sh");
    assertEquals(await look(["--deny-run=bash"]), "sh");
    if (COMPILED) return;
    const common = ["--allow-read", "--allow-write", "--allow-env"];
    const itself = Deno.execPath();
    assertEquals(await look(["--allow-run"], [...common, `--allow-run=sh,${itself}`]), "sh");
  },
});
