import { join } from "@std/path";
import { loadConfigFile, parseConfig } from "../../lib/config/config_file.ts";
import { loadEnvFile } from "../../lib/config/env_file.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** The message a configuration is refused with. */
async function refusal(source: string): Promise<string> {
  const error = await assertRejects(() => parseConfig(source, "f.jsonc"), BubError);
  assertEquals(error.kind, "config");
  return error.message;
}

Deno.test("L4 parseConfig() takes comments and trailing commas", async () => {
  const source = `// mine
  {
    "model": "openai:gpt-5", /* the
    usual */ "max_steps": 3,
    "plugins": ["a.ts",],
  }`;
  assertEquals(await parseConfig(source, "f"), {
    model: "openai:gpt-5",
    max_steps: 3,
    plugins: ["a.ts"],
  });
});

Deno.test("L4 parseConfig() takes every key there is", async () => {
  const config = {
    model: "anthropic:claude",
    fallback_models: ["openai:gpt-5"],
    api_key: { openai: "k" },
    api_base: "http://127.0.0.1:8080/v1",
    openai_api_key: "k",
    openai_compatible_api_base: "https://example.org/v1",
    api: "chat",
    max_steps: 1,
    max_tokens: 100,
    model_timeout_seconds: 0.5,
    client_args: { headers: { a: "b" } },
    completion_args: { temperature: 0 },
    verbose: 2,
    spill_threshold: 0,
    subagent_timeout_seconds: 60,
    subagent_max_concurrency: 1,
    command_prefix: "/",
    subagents: { reviewer: { model: "openai:gpt-5", allowed_tools: [], timeout_seconds: 5 } },
    plugins: ["./plugin.ts"],
    scope: { "allow-read": ["."], "allow-run": true, "deny-read": [".env"], "deny-net": [] },
    env: { pass: ["OPENAI_API_KEY"] },
    mcp: { files: { command: "server", args: ["-v"], env: { A: "b" } } },
  };
  assertEquals(await parseConfig(JSON.stringify(config), "f"), config);
});

for (
  const [what, source] of [["nothing", ""], ["blanks", " \n\n"], ["comments", "// a\n/* b */"]]
) {
  Deno.test(`L4 B73 a configuration file with ${what} in it sets nothing`, async () => {
    assertEquals(await parseConfig(String(source), "f"), {});
  });
}

Deno.test("L4 a mistake names the key, the value, the file, the line and the close key", async () => {
  assertEquals(
    await refusal('{\n  // steps\n  "max_stpes": 5\n}'),
    'f.jsonc:3: "max_stpes" is not a known key; did you mean "max_steps"?',
  );
  assertEquals(
    await refusal('{\n  "model": "openai:gpt-5",\n  "max_steps": "many" }'),
    'f.jsonc:3: "max_steps" must be a whole number from 1 on, not "many"',
  );
  assertEquals(
    await refusal('{"model": "gpt-5"}'),
    'f.jsonc:1: "model" must be a model as "provider:model", not "gpt-5"',
  );
  assertEquals(
    await refusal('{"openia_api_key": "k"}'),
    'f.jsonc:1: "openia_api_key" is not a known key; did you mean "openai_api_key"?',
  );
  assertEquals(await refusal("[1]"), "f.jsonc:1: the configuration must be an object, not [1]");
  assertMatch(await refusal('{"home": "/x"}'), /"home" .*BUB_HOME/);
  assertMatch(await refusal('{"colour": 1}'), /"colour" is not a known key; known: model, /);
});

Deno.test("L4 a mistake deep inside is named by its whole path, with its own line", async () => {
  const source = '{\n  "subagents": {\n    "a": {"model": "openai:x"},\n    "b": {\n' +
    '      "description": "{ \\"modle\\": }",\n      "modle": 1\n    }\n  }\n}';
  assertEquals(
    await refusal(source),
    'f.jsonc:6: "subagents.b.modle" is not a known key; did you mean "model"?',
  );
  assertEquals(
    await refusal('{\n "plugins": [\n  "a", // one\n  2\n ]\n}'),
    'f.jsonc:4: "plugins.1" must be text, not 2',
  );
  assertMatch(await refusal('{"scope": {"allow-red": true}}'), /"scope.allow-red".*"allow-read"/);
  assertMatch(
    await refusal('{"env": {"pass": "A"}}'),
    /"env.pass" must be a list of texts, not "A"/,
  );
});

Deno.test("L4 L5 a mistake in a secret does not show it", async () => {
  const message = await refusal('{"api_key": {"openai": ["sk-secret"]}}');
  assertStringIncludes(message, '"api_key.openai" must be text');
  assertEquals(message.includes("sk-secret"), false);
});

Deno.test("L4 L5 what a provider cannot be told is a mistake, keys that do for a header are none", async () => {
  assertEquals(
    await refusal('{"api_key": 5}'),
    'f.jsonc:1: "api_key" must be text or an object of texts by provider',
  );
  assertEquals(
    await refusal('{"api_key": {"opnai": "sk-secret"}}'),
    'f.jsonc:1: "api_key.opnai" is not a known key; did you mean "openai"?',
  );
  assertEquals(
    await refusal('{"api_base": {\n"foo": "http://127.0.0.1"}}').then((text) => text.slice(0, 46)),
    'f.jsonc:2: "api_base.foo" is not a known key; ',
  );
  assertEquals(
    await refusal('{"client_args": {"headers": {"X-Key": "sk-sécret✓"}}}'),
    'f.jsonc:1: "client_args.headers.X-Key" has a character that no header can have: ' +
      "a line break or one beyond Latin-1",
  );
  const right = {
    api_key: { "openai-compatible": "from a file\n", openai_compatible: "a b" },
    client_args: { headers: { "X-Title": "é", n: 1 }, extra_query: null, timeout: 0.5 },
  };
  assertEquals(await parseConfig(JSON.stringify(right), "f"), right);
});

Deno.test("B73 a syntax error gives the file and the line", async () => {
  assertMatch(await refusal('{\n  "model": "a:b"\n  "api": "chat"\n}'), /^f\.jsonc:3: unexpected/);
  assertMatch(await refusal('{\n  "model": "a:b",\n'), /^f\.jsonc:3: unexpected end/);
  assertMatch(await refusal("// c\n{model: 1}"), /^f\.jsonc:2: unexpected/);
});

Deno.test("B73 loadConfigFile() reads a file with a byte-order mark", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "config.jsonc");
  await Deno.writeTextFile(path, '\ufeff{"max_steps": 2}');
  assertEquals(await loadConfigFile(path), { max_steps: 2 });
});

Deno.test("B73 loadConfigFile() says when the file is a folder, and takes a missing one", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "config.jsonc");
  assertEquals(await loadConfigFile(path), {});
  assertEquals(await loadConfigFile(join(path, "below", "nothing")), {});
  await Deno.mkdir(path);
  const error = await assertRejects(() => loadConfigFile(path), BubError, "a folder");
  assertStringIncludes(error.message, path);
});

Deno.test({
  name: "B19 B73 L4 a configuration or env file that is a pipe, a device or too long is not opened",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    await new Deno.Command("mkfifo", { args: [path("pipe")] }).output();
    await Deno.symlink("/dev/zero", path("zero"));
    await Deno.writeTextFile(path("long"), " ".repeat(1024 * 1024 + 1));
    await Deno.writeTextFile(path("full"), " ".repeat(1024 * 1024));
    await Deno.mkdir(path("folder"));
    for (
      const [name, problem] of [
        ["pipe", "is a named pipe, not a regular file"],
        ["zero", "is a device, not a regular file"],
        ["folder", "is a folder, not a regular file"],
        ["long", "has more than 1 MiB, the most that is read of settings"],
      ] as const
    ) {
      const config = await assertRejects(() => loadConfigFile(path(name)), BubError);
      assertEquals([config.kind, config.message], ["config", `${path(name)} ${problem}`]);
      const env = await assertRejects(() => loadEnvFile(path(name)), BubError);
      assertEquals([env.kind, env.message], ["config", `--env-file ${path(name)} ${problem}`]);
    }
    assertEquals(await loadConfigFile(path("full")), {});
  },
});

Deno.test({
  name: "B73 loadConfigFile() says when the file may not be read",
  // Root may read everything.
  ignore: Deno.build.os === "windows" || Deno.uid() === 0,
  async fn() {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "config.jsonc");
    await Deno.writeTextFile(path, "{}", { mode: 0o000 });
    const error = await assertRejects(() => loadConfigFile(path), BubError, "cannot read");
    assertEquals(error.kind, "config");
  },
});

Deno.test("L4 A2 a profile has a name, and a description that says something", async () => {
  assertStringIncludes(await refusal('{"subagents": {"": {}}}'), "a profile without a name");
  const empty = await refusal('{"subagents": {"a": {"description": " "}}}');
  assertStringIncludes(empty, '"subagents.a.description" must be text that says something');
});
