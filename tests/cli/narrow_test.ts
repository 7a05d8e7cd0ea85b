import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { startFakeAnthropic } from "../provider/fake_anthropic.ts";
import { startFakeGoogle } from "../provider/fake_google.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider } from "../provider/fake_provider.ts";
import { startFakeResponses } from "../provider/fake_responses.ts";
import { bub, bubCommand, COMPILED, type Outcome } from "./spawn.ts";
import { hasTmux, Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const SOURCE = fromFileUrl(ROOT);
const windows = Deno.build.os === "windows";

/** A project, a home, and a model that reads a file of the project. */
interface Scene {
  readonly bench: Workbench;
  readonly home: string;
  readonly server: FakeProvider;
  /** `host:port` of the model. */
  readonly host: string;
}

async function setUp(bench: Workbench, server: FakeProvider): Promise<Scene> {
  await Deno.writeTextFile(join(bench.workspace, "a.txt"), "hello\n");
  const variables = `BUB_MODEL=openai-compatible:x\nBUB_API_BASE=${server.base}\n`;
  await Deno.writeTextFile(join(bench.workspace, "env"), variables);
  return { bench, home: join(bench.root, "home"), server, host: new URL(server.base).host };
}

/** Each command with what it reads on standard input. */
const COMMANDS = {
  version: ["--version"],
  help: ["--help"],
  "run --help": ["run", "--help"],
  run: ["run", "hi", "--env-file", "env"],
  bash: ["run", ",bash 'echo hi'"],
  read: ["run", ",fs.read a.txt"],
  fetch: ["run", ",web.fetch"],
  chat: ["chat"],
  tools: ["tools"],
  skills: ["skills"],
  plugins: ["plugins"],
  config: ["config"],
  tape: ["tape", "list"],
  doctor: ["doctor", "--env-file", "env"],
} as const;

type CommandName = keyof typeof COMMANDS;

/** An exit code, and what standard error (of doctor: its output) says would grant the access. */
type Failure = readonly [code: number, grants: (scene: Scene) => string];

interface Row {
  readonly what: string;
  readonly permissions: (scene: Scene) => readonly string[];
  /** The commands that fail; all others exit with 0. */
  readonly fails: Readonly<Partial<Record<CommandName, Failure>>>;
}

const noHome: Failure = [2, () => "--allow-env=HOME grants it"];
const noNet: Failure = [1, ({ host }) => `--allow-net=${host} grants it`];
const noShells: Failure = [1, () => "shells grants it"];
const noSource: Failure = [2, () => `--allow-read=${SOURCE} grants it`];
const noFile = (name: string): Failure => [
  1,
  ({ bench }) => `--allow-read=${join(bench.workspace, name)} grants it`,
];
/** What a flag of the process denies, no other one grants. */
const denied = (
  code: number,
  access: string,
  target: (scene: Scene) => string,
): Failure => [
  code,
  (scene) => `${access} access to "${target(scene)}" is denied by --deny-${access} of the process`,
];
const deniedNet = denied(1, "net", ({ host }) => host);
/** Of a home that `BUB_HOME` names nothing else will do. */
const unusable = (access: string): Failure => denied(2, access, ({ home }) => home);

const ROWS: readonly Row[] = [
  { what: "every right", permissions: () => ["--allow-all"], fails: {} },
  {
    what: "no right",
    permissions: () => [],
    fails: Object.fromEntries(
      Object.keys(COMMANDS).filter((name) => name !== "version").map((name) => [name, noSource]),
    ),
  },
  {
    what: "the right to read its source",
    permissions: () => [`--allow-read=${SOURCE}`],
    fails: {
      run: [2, ({ bench }) => `--allow-read=${bench.workspace}/env grants it`],
      bash: noShells,
      read: noFile("a.txt"),
      fetch: noNet,
      chat: noFile("a.txt"),
      tape: noHome,
      doctor: [1, ({ bench }) => `--allow-read=${bench.workspace}/env grants it`],
    },
  },
  {
    what: "the right to read the project",
    permissions: ({ bench }) => [`--allow-read=${SOURCE},${bench.workspace}`],
    fails: { run: noNet, bash: noShells, fetch: noNet, tape: noHome, doctor: noNet },
  },
  {
    what: "the right to read the project and ask the model",
    permissions: (
      { bench, host },
    ) => [`--allow-read=${SOURCE},${bench.workspace}`, `--allow-net=${host}`],
    fails: { bash: noShells, tape: noHome },
  },
  {
    what: "every right but that to variables",
    permissions: () => ["--allow-all", "--deny-env"],
    fails: { tape: denied(2, "env", () => "HOME") },
  },
  {
    what: "every right but that to start programs",
    permissions: () => ["--allow-all", "--deny-run"],
    fails: { bash: denied(1, "run", () => "bash") },
  },
  {
    what: "every right but that to the network",
    permissions: () => ["--allow-all", "--deny-net"],
    fails: { run: deniedNet, fetch: deniedNet, doctor: deniedNet },
  },
  {
    what: "every right but that to write",
    permissions: () => ["--allow-all", "--deny-write"],
    fails: {
      run: unusable("write"),
      bash: unusable("write"),
      read: unusable("write"),
      fetch: unusable("write"),
      chat: unusable("write"),
      doctor: [1, unusable("write")[1]],
    },
  },
  {
    what: "every right but that to read its home folder",
    permissions: ({ home }) => ["--allow-all", `--deny-read=${home}`],
    fails: {
      run: unusable("read"),
      bash: unusable("read"),
      read: unusable("read"),
      fetch: unusable("read"),
      chat: unusable("read"),
      tape: denied(1, "read", ({ home }) => `${home}/tapes`),
      doctor: [1, unusable("read")[1]],
    },
  },
  {
    what: "every right but that to read the project",
    permissions: ({ bench }) => ["--allow-all", `--deny-read=${bench.workspace}`],
    fails: {
      run: denied(2, "read", ({ bench }) => `${bench.workspace}/env`),
      read: denied(1, "read", ({ bench }) => `${bench.workspace}/a.txt`),
      chat: denied(1, "read", ({ bench }) => `${bench.workspace}/a.txt`),
      doctor: denied(1, "read", ({ bench }) => `${bench.workspace}/env`),
    },
  },
];

for (const row of ROWS) {
  Deno.test({
    name: `E4 B73 under deno run with ${row.what}: only what needs more fails`,
    ignore: COMPILED || windows,
    async fn() {
      await using bench = await openWorkbench();
      await using server = startFakeOpenAI({ script: () => ({ text: "ok" }) });
      const scene = await setUp(bench, server);
      await Promise.all((Object.keys(COMMANDS) as CommandName[]).map(async (name) => {
        const args = name === "fetch" ? ["run", `,web.fetch ${server.base}`] : COMMANDS[name];
        const outcome = await bub(args, {
          cwd: bench.workspace,
          env: { ...bench.env, HOME: join(bench.root, "user") },
          permissions: row.permissions(scene),
          ...(name === "chat" ? { stdin: { text: ",fs.read a.txt\n" } } : {}),
        });
        check(name, outcome, row.fails[name], scene);
      }));
    },
  });
}

function check(name: CommandName, outcome: Outcome, fails: Failure | undefined, scene: Scene) {
  const { code, stdout, stderr } = outcome;
  const said = `${name}: ${stdout}${stderr}`;
  assert(!/\n\s+at |Uncaught|requests|Allow\?/.test(said), said);
  assertEquals(code, fails?.[0] ?? 0, said);
  if (fails !== undefined) assert(said.includes(fails[1](scene)), `${said}${fails[1](scene)}`);
}

const PROVIDERS = {
  "openai-compatible": { start: startFakeOpenAI, variables: [] },
  google: { start: startFakeGoogle, variables: [] },
  anthropic: { start: startFakeAnthropic, variables: ["ANTHROPIC_BASE_URL"] },
  openai: { start: startFakeResponses, variables: ["OPENAI_BASE_URL"] },
} as const;

for (const [provider, { start, variables }] of Object.entries(PROVIDERS)) {
  Deno.test({
    name: `E4 M1 ${provider} needs the right to its server and, of variables, ` +
      `${variables.join() || "none"}`,
    ignore: COMPILED || windows,
    async fn() {
      await using bench = await openWorkbench();
      await using server = start({ script: () => ({ text: "ok" }) });
      const { host } = await setUp(bench, server);
      const base = `BUB_${provider.toUpperCase().replace("-", "_")}_API_BASE=${server.base}`;
      await Deno.writeTextFile(join(bench.workspace, "env"), `${base}\nBUB_API_KEY=sk-x\n`);
      await Deno.mkdir(join(bench.root, "home"));
      const api = '{ "api": "responses" }';
      await Deno.writeTextFile(join(bench.root, "home", "config.jsonc"), api);
      const known = ["BUB_HOME", ...variables];
      const run = (names: readonly string[]) =>
        bub(["run", "hi", "--env-file", "env", "-m", `${provider}:x`], {
          env: bench.env,
          cwd: bench.workspace,
          permissions: [
            `--allow-read=${SOURCE},${bench.root}`,
            `--allow-write=${join(bench.root, "home")}`,
            `--allow-net=${host}`,
            `--allow-env=${names.join()}`,
          ],
        });
      const { code, stdout, stderr } = await run(known);
      assertEquals([code, stdout, stderr], [0, "ok\n", ""]);
      if (variables.length === 0) return;
      const blind = await run(["BUB_HOME"]);
      assertEquals([blind.code, blind.stdout], [1, ""]);
      assertMatch(blind.stderr, new RegExp(`--allow-env=${variables[0]} grants it\n$`));
    },
  });
}

Deno.test({
  name: "E4 M1 where no variable with a key may be read, the error says so",
  ignore: COMPILED,
  async fn() {
    await using bench = await openWorkbench();
    const options = { cwd: bench.workspace, env: { ...bench.env, OPENAI_API_KEY: "sk-x" } };
    const blind = await bub(["run", "hi", "-m", "openai:x"], {
      ...options,
      permissions: [`--allow-read=${SOURCE},${bench.root}`],
    });
    assertEquals(blind.code, 2);
    assertMatch(
      blind.stderr,
      /no API key for openai; .*, of which none may be read: .*--allow-env=OPENAI_API_KEY grants it\n/,
    );
  },
});

Deno.test({
  name: "E4 nothing asks on a terminal where deno run itself would",
  ignore: COMPILED || windows || !await hasTmux(),
  async fn() {
    await using bench = await openWorkbench();
    await using server = startFakeOpenAI({ script: () => ({ text: "ok" }) });
    await setUp(bench, server);
    await Deno.writeTextFile(join(bench.workspace, "key"), "BUB_OPENAI_API_KEY=sk-x\n");
    await using terminal = new Terminal();
    const outside = join(bench.root, "outside");
    const tries = [
      ["--version"],
      ["run", ",fs.read /etc/hosts"],
      ["run", ",fs.write b.txt x"],
      ["run", `,web.fetch ${server.base}`],
      ["run", "hi", "--env-file", "env"],
      ["run", "hi", "-m", `replay:${outside}`],
      ["run", "hi", "-m", "openai:x", "--env-file", "key"],
      ["run", "hi", "--env-file", "env", "--record", outside],
      ["plugins", "--plugin", outside],
      ["skills"],
      ["tape", "list"],
      ["doctor", "--env-file", "env"],
      ["demo"],
      ["run", "--allow-read=.", ",fs.read /etc/hosts"],
      ["run", "--allow-read=.,/etc", "--allow-write", ",fs.write /etc/x x"],
      ["run", "--allow-net", "--deny-net=x.example", `,web.fetch ${server.base}`],
      ["run", "--allow-run", ",bash true"],
    ];
    const read = `--allow-read=${SOURCE},${bench.workspace}`;
    const lines = await Promise.all([
      plainLine(["run", ",help"], []),
      ...tries.map((args) => plainLine(args, [read, "--allow-env=BUB_MODEL"])),
    ]);
    const steps = lines.map((line, step) => `${line} >out; clear; echo "step ${step} is over"`);
    const env = { ...bench.env, BUB_MODEL: "openai-compatible:x" };
    await terminal.run(`${steps.join("; ")}; exec cat`, env, bench.workspace);
    // A question waits for an answer, and this for the end of its step, or of a later one.
    for (const step of steps.keys()) {
      const later = [...steps.keys()].slice(step).join("|");
      await terminal.shows(new RegExp(`step (?:${later}) is over`));
    }
  },
});

/** A line of shell that starts the program as a person might, without `--no-prompt`. */
async function plainLine(args: readonly string[], permissions: readonly string[]) {
  const words = (await bubCommand(args, permissions)).filter((word) => word !== "--no-prompt");
  return words.map((word) => `'${word}'`).join(" ");
}
