import { join } from "@std/path";
import { resolveSettings, type SettingFlags } from "../../lib/config/resolve.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

interface Sources {
  readonly flags?: SettingFlags;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly config?: string;
}

/** What a home folder with this configuration and the other sources come to. */
async function resolveFrom({ flags = {}, env = {}, envFile, config }: Sources) {
  await using folder = await temporaryFolder();
  if (config !== undefined) await Deno.writeTextFile(join(folder.path, "config.jsonc"), config);
  const file = join(folder.path, "env");
  if (envFile !== undefined) await Deno.writeTextFile(file, envFile);
  using configuration = await resolveSettings({
    flags: {
      ...flags,
      workspace: folder.path,
      ...(envFile === undefined ? {} : { envFile: file }),
    },
    env: { BUB_HOME: folder.path, ...env },
    saves: true,
  });
  return configuration;
}

Deno.test("L4 M5 the defaults", async () => {
  const { settings, values, warnings } = await resolveFrom({});
  const { maxSteps, maxTokens, modelTimeoutSeconds, spillThreshold, commandPrefix } = settings;
  assertEquals(
    { maxSteps, maxTokens, modelTimeoutSeconds, spillThreshold, commandPrefix },
    {
      maxSteps: Infinity,
      maxTokens: 16384,
      modelTimeoutSeconds: null,
      spillThreshold: 4096,
      commandPrefix: ",",
    },
  );
  assertEquals([settings.model, settings.modelOrigin], [undefined, "default"]);
  assertEquals([settings.subagentMaxConcurrency, settings.subagentTimeoutSeconds], [8, null]);
  assertEquals([settings.verbosity, settings.fallbackModels, settings.envPass], [0, [], []]);
  assertEquals([values.size, warnings], [0, []]);
});

Deno.test("L4 flag, environment, --env-file and config.jsonc win in this order", async () => {
  const sources = {
    flags: { model: "openai:flag" },
    env: { BUB_MODEL: "openai:environment" },
    envFile: "BUB_MODEL=openai:env-file",
    config: '{"model": "openai:config"}',
  };
  const { flags: _1, ...noFlag } = sources;
  const { env: _2, ...noEnvironment } = noFlag;
  const { envFile: _3, ...configOnly } = noEnvironment;
  for (
    const [given, origin] of [
      [sources, "flag"],
      [noFlag, "environment"],
      [noEnvironment, "env-file"],
      [configOnly, "config"],
    ] as const
  ) {
    const { settings, values } = await resolveFrom(given);
    assertEquals(settings.model, `openai:${origin}`);
    assertEquals(settings.modelOrigin, origin);
    assertEquals(values.get("model")?.origin, origin);
  }
});

Deno.test("L4 an empty variable counts as unset, in the environment and for --env-file", async () => {
  const { settings } = await resolveFrom({
    env: { BUB_MODEL: "", BUB_MAX_STEPS: "", OPENAI_API_KEY: "" },
    envFile: "BUB_MODEL=openai:file\nBUB_MAX_TOKENS=\nOPENAI_API_KEY=key",
    config: '{"max_steps": 4, "max_tokens": 5}',
  });
  assertEquals([settings.model, settings.maxSteps, settings.maxTokens], ["openai:file", 4, 5]);
  assertEquals(settings.env.OPENAI_API_KEY, "key");
  assertEquals(settings.provider("openai").apiKey, "key");
});

Deno.test("L4 M5 every variable is read", async () => {
  const { settings } = await resolveFrom({
    env: {
      BUB_FALLBACK_MODELS: '["openai:a", "groq:b"]',
      BUB_MAX_STEPS: "7",
      BUB_MAX_TOKENS: "100",
      BUB_MODEL_TIMEOUT_SECONDS: "1.5",
      BUB_CLIENT_ARGS: '{"headers": {"x": "y"}}',
      BUB_COMPLETION_ARGS: '{"temperature": 0}',
      BUB_VERBOSE: "1",
      BUB_SPILL_THRESHOLD: "0",
      BUB_SUBAGENT_TIMEOUT_SECONDS: "9",
      BUB_SUBAGENT_MAX_CONCURRENCY: "2",
      BUB_COMMAND_PREFIX: "!!",
    },
  });
  assertEquals(settings.fallbackModels, ["openai:a", "groq:b"]);
  assertEquals([settings.maxSteps, settings.maxTokens], [7, 100]);
  assertEquals(settings.modelTimeoutSeconds, 1.5);
  assertEquals(settings.clientArgs, { headers: { x: "y" } });
  assertEquals(settings.completionArgs, { temperature: 0 });
  assertEquals([settings.verbosity, settings.spillThreshold], [1, 0]);
  assertEquals([settings.subagentTimeoutSeconds, settings.subagentMaxConcurrency], [9, 2]);
  assertEquals(settings.commandPrefix, "!!");
});

for (
  const [name, value, right] of [
    ["BUB_MAX_STEPS", "0", "must be a whole number from 1 on, not 0"],
    ["BUB_MAX_STEPS", "many", 'must be a whole number from 1 on, not "many"'],
    ["BUB_MAX_TOKENS", "1.5", "must be a whole number from 1 on, not 1.5"],
    ["BUB_MODEL_TIMEOUT_SECONDS", "-1", "must be a number over 0, not -1"],
    ["BUB_MODEL_TIMEOUT_SECONDS", "1e999", "must be a number over 0, not Infinity"],
    ["BUB_API_KEY", "sk-a✓", "BUB_API_KEY has a character that no key has"],
    ["BUB_OPENAI_API_KEY", "a\nb", "BUB_OPENAI_API_KEY has a character that no key has"],
    ["BUB_API_KEY", '{"foo": "k"}', "BUB_API_KEY.foo is not a known key; known: openai, "],
    ["BUB_CLIENT_ARGS", '{"headers":{"a b":"c"}}', "BUB_CLIENT_ARGS.headers.a b is no name of a"],
    ["BUB_CLIENT_ARGS", '{"headers":{"a":"✓"}}', "BUB_CLIENT_ARGS.headers.a has a character that"],
    ["BUB_CLIENT_ARGS", '{"project":"a\\nb"}', "BUB_CLIENT_ARGS.project has a character that"],
    ["BUB_CLIENT_ARGS", '{"headers":5}', "BUB_CLIENT_ARGS.headers must be an object of texts"],
    ["BUB_CLIENT_ARGS", '{"timeout":-1}', "BUB_CLIENT_ARGS.timeout must be a number over 0"],
    ["BUB_CLIENT_ARGS", '{"foo":1}', "BUB_CLIENT_ARGS.foo is not a known key; known: headers,"],
    ["BUB_FALLBACK_MODELS", "openai:a", 'must be a list of models, not "openai:a", as JSON'],
    ["BUB_FALLBACK_MODELS", '["gpt"]', 'BUB_FALLBACK_MODELS.0 must be a model as "provider:model"'],
    ["BUB_COMPLETION_ARGS", "{temperature: 0}", "must be an object, not"],
    ["BUB_VERBOSE", "3", "must be 0, 1 or 2, not 3"],
    ["BUB_COMMAND_PREFIX", " ", 'without spaces, not " "'],
    ["BUB_API_BASE", "localhost:8080", 'must be an http: or https: address, not "localhost:8080"'],
    ["BUB_OPENAI_API_BASE", "ftp://x", "must be an http: or https: address"],
    ["BUB_MODEL", "gpt-5", 'must be a model as "provider:model", not "gpt-5"'],
  ] as const
) {
  Deno.test(`L4 ${name}=${value} is a configuration error that says what is right`, async () => {
    const error = await assertRejects(
      () => resolveFrom({ env: { [name]: value } }),
      BubError,
      right,
    );
    assertEquals(error.kind, "config");
    assertEquals(error.message.startsWith(name), true);
  });
}

Deno.test("L4 L5 a broken secret variable is not shown", async () => {
  const env = { BUB_API_KEY: '{"openai": 5555', BUB_CLIENT_ARGS: "sk-5555" };
  for (const [name, value] of Object.entries(env)) {
    const error = await assertRejects(
      () => resolveFrom({ env: { [name]: value } }),
      BubError,
      name,
    );
    assertEquals(error.message.includes("5555"), false);
  }
});

Deno.test("L4 a mistake in --env-file gives file and line", async () => {
  const error = await assertRejects(
    () => resolveFrom({ envFile: "# mine\nBUB_MAX_STEPS=x" }),
    BubError,
    "env:2: BUB_MAX_STEPS must be",
  );
  assertEquals(error.kind, "config");
});

Deno.test("L4 a variable that looks like a slip is a warning with the close one", async () => {
  const { warnings } = await resolveFrom({ env: { BUB_MODLE: "x", BUB_TELEGRAM_TOKEN: "t" } });
  assertEquals(warnings, ["BUB_MODLE is not a known variable; did you mean BUB_MODEL?"]);
});

Deno.test("L4 a variable of a key that only config.jsonc knows is a warning that says so", async () => {
  for (const key of ["api", "env", "scope", "mcp", "plugins", "subagents"]) {
    const name = `BUB_${key.toUpperCase()}`;
    const { warnings } = await resolveFrom({ env: { [name]: "x" } });
    assertEquals(warnings, [
      `${name} is not a known variable; ${key} is only a key in config.jsonc`,
    ]);
  }
  assertEquals((await resolveFrom({ env: { BUB_APIS: "x" } })).warnings, []);
});

Deno.test("M1 a provider's own key comes first, then the general one, then the usual variable", async () => {
  const model = { BUB_MODEL: "openai:gpt" };
  const usual = { OPENAI_API_KEY: "usual", OPENAI_BASE_URL: "http://usual/" };
  const general = { BUB_API_KEY: "general", BUB_API_BASE: "http://general/" };
  const own = { BUB_OPENAI_API_KEY: "own", BUB_OPENAI_API_BASE: "http://own/" };
  for (
    const [env, word] of [
      [{ ...model, ...usual }, "usual"],
      [{ ...model, ...usual, ...general }, "general"],
      [{ ...model, ...usual, ...general, ...own }, "own"],
    ] as const
  ) {
    const { settings } = await resolveFrom({ env });
    assertEquals(settings.provider("openai"), { apiKey: word, apiBase: `http://${word}/` });
  }
});

Deno.test("M1 BUB_API_KEY as text serves the provider of the configured model and no other", async () => {
  const env = { BUB_MODEL: "openai:gpt", BUB_API_KEY: "k", BUB_API_BASE: "http://b/" };
  const { settings } = await resolveFrom({ env, flags: { model: "anthropic:claude" } });
  assertEquals(settings.provider("openai"), { apiKey: "k", apiBase: "http://b/" });
  assertEquals(settings.provider("anthropic"), { apiKey: undefined, apiBase: undefined });
  const flagOnly = await resolveFrom({
    env: { BUB_API_KEY: "k" },
    flags: { model: "anthropic:claude" },
  });
  assertEquals(flagOnly.settings.provider("anthropic").apiKey, "k");
  assertEquals(flagOnly.settings.provider("openai").apiKey, undefined);
});

Deno.test("M1 the case of the provider in BUB_MODEL decides nothing", async () => {
  const { settings } = await resolveFrom({ env: { BUB_MODEL: "OpenAI:gpt-5", BUB_API_KEY: "k" } });
  assertEquals(settings.provider("openai").apiKey, "k");
});

Deno.test("M1 BUB_API_KEY as an object serves each provider it names", async () => {
  const { settings } = await resolveFrom({
    env: { BUB_API_KEY: '{"openai": "a", "openai-compatible": "b"}', GROQ_API_KEY: "c" },
    config: '{"model": "groq:x", "openai_compatible_api_base": "http://127.0.0.1:1/v1"}',
  });
  assertEquals(settings.provider("openai").apiKey, "a");
  assertEquals(settings.provider("openai-compatible"), {
    apiKey: "b",
    apiBase: "http://127.0.0.1:1/v1",
  });
  assertEquals(settings.provider("groq").apiKey, "c");
});

Deno.test("L4 --model is checked like the variable", async () => {
  await assertRejects(
    () => resolveFrom({ flags: { model: "gpt-5" } }),
    BubError,
    '--model must be a model as "provider:model", not "gpt-5"',
  );
});

Deno.test("L2 -q and -v count for more than BUB_VERBOSE", async () => {
  const env = { BUB_VERBOSE: "2" };
  assertEquals((await resolveFrom({ env })).settings.verbosity, 2);
  assertEquals((await resolveFrom({ env, flags: { verbosity: -1 } })).settings.verbosity, -1);
});
