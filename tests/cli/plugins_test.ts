import { join } from "@std/path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const GOOD = `
  export default ({ z, defineTool }) => ({
    name: "good",
    tools: [
      defineTool({ name: "fs.read", description: "Reads.", parameters: z.object({}), run: () => "mine" }),
      defineTool({ name: "x.y", description: "Why.", exposure: "deferred", parameters: z.object({}), run: () => "why" }),
    ],
    hooks: { afterToolCall() {}, beforeToolCall() {} },
    events: { result() {} },
  });
`;

/** One plugin in the configuration, one that is broken on the command line. */
async function setUp(bench: Workbench) {
  const home = join(bench.root, "home");
  await Deno.mkdir(join(home, "plugins"), { recursive: true });
  const good = join(home, "plugins", "good.ts");
  await Deno.writeTextFile(good, GOOD);
  await Deno.writeTextFile(join(home, "config.jsonc"), `{ "plugins": ["plugins/good.ts"] }`);
  const broken = join(bench.workspace, "broken.js");
  await Deno.writeTextFile(broken, "export default 1;");
  return { good, broken, home };
}

Deno.test("L1 H1 bub plugins shows what is loaded and what is broken, and why", async () => {
  await using bench = await openWorkbench();
  const { good, broken } = await setUp(bench);
  const options = { env: bench.env, cwd: bench.workspace };
  const { code, stdout, stderr } = await bub(["plugins", "--plugin", "broken.js"], options);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(
    stdout,
    `good  ${good}\n` +
      "  tools   fs.read (instead of the built-in one), x.y (deferred)\n" +
      "  hooks   beforeToolCall, afterToolCall\n" +
      "  events  result\n" +
      "\n" +
      `${broken} is broken: its default export must be a function of the API object, not 1\n`,
  );
});

Deno.test("L1 bub plugins --json lists the same for scripts", async () => {
  await using bench = await openWorkbench();
  const { good, broken } = await setUp(bench);
  const args = ["plugins", "--json", "--plugin", broken, `--plugin=${good}`];
  const { code, stdout } = await bub(args, { env: bench.env, cwd: bench.workspace });
  assertEquals(code, 0);
  assertEquals(JSON.parse(stdout), [
    {
      name: "good",
      file: good,
      status: "loaded",
      tools: [
        { name: "fs.read", exposure: "default", overrides: true },
        { name: "x.y", exposure: "deferred", overrides: false },
      ],
      hooks: ["beforeToolCall", "afterToolCall"],
      events: ["result"],
      problem: null,
    },
    {
      name: null,
      file: broken,
      status: "broken",
      tools: [],
      hooks: [],
      events: [],
      problem: "its default export must be a function of the API object, not 1",
    },
  ]);
});

Deno.test("L1 bub plugins without any says how to have one", async () => {
  await using bench = await openWorkbench();
  const { code, stdout } = await bub(["plugins"], { env: bench.env, cwd: bench.workspace });
  assertEquals(code, 0);
  assertMatch(stdout, /^no plugins; --plugin FILE loads one, .*config\.jsonc\n$/);
});

Deno.test("L1 H1 --plugin works on run, tools and config, and a broken one is a warning", async () => {
  await using bench = await openWorkbench();
  const { good, broken } = await setUp(bench);
  const options = { env: bench.env, cwd: bench.workspace };
  const run = await bub(["run", ",x.y", "--plugin", "broken.js"], options);
  assertEquals([run.code, run.stdout], [0, "why"]);
  assertStringIncludes(run.stderr, `bub: the plugin ${broken} was skipped: its default export`);
  const tools = await bub(["tools", "--json"], options);
  const names = (JSON.parse(tools.stdout) as { name: string }[]).map(({ name }) => name);
  assert(names.includes("x.y"));
  const config = await bub(["config", "--json", "--plugin", "broken.js"], options);
  const rows = JSON.parse(config.stdout).settings as { key: string }[];
  assertEquals(
    rows.find(({ key }) => key === "plugins"),
    {
      key: "plugins",
      value: [good, broken],
      origin: "flag",
    } as typeof rows[number],
  );
});

Deno.test("H2 resolveSession decides which session bub run goes on with", async () => {
  await using bench = await openWorkbench();
  const plugin = join(bench.root, "sessions.ts");
  await Deno.writeTextFile(
    plugin,
    `export default () => ({ name: "sessions", hooks: {
      resolveSession: ({ sessionId, message }) => sessionId + ":" + message.length } });`,
  );
  const model = await bench.record({ text: "Hello." });
  const args = ["run", "hi", "--model", model, "--output", "json", "--plugin", plugin];
  const { code, stdout } = await bub(args, { env: bench.env, cwd: bench.workspace });
  const { session_id, output } = JSON.parse(stdout);
  assertEquals([code, session_id, output], [0, "cli:local:2", "Hello."]);
});
