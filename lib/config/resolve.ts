import { dirname, join } from "@std/path";
import { isGranted } from "../environment/granted.ts";
import type { Scope } from "../environment/scope.ts";
import { BubError, missingAccess } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { configPath, loadConfigFile } from "./config_file.ts";
import { type EnvFile, loadEnvFile } from "./env_file.ts";
import { findHome, type Home, openHome, untouchedHome, userFolder } from "./home.ts";
import { pluginFiles } from "./plugin_files.ts";
import { providerAccess } from "./provider_access.ts";
import { type SettingKey, SETTINGS, settingSpec, variableName } from "./schema.ts";
import { scopeOf, type ScopeSetting } from "./scope_setting.ts";
import type { Origin, Settings } from "./settings.ts";
import { variableSettings } from "./variables.ts";
import { resolveWorkspace, startFolder } from "./workspace.ts";

const MIB = 1024 * 1024;

/** What the command line says about settings. */
export interface SettingFlags {
  readonly workspace?: string | undefined;
  readonly envFile?: string | undefined;
  readonly model?: string | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly maxSteps?: number | undefined;
  /** Paths of plugins beside those of the configuration, relative to the start folder. */
  readonly plugins?: readonly string[] | undefined;
  /** Bounds of tools; each replaces the same key of the configuration. */
  readonly scope?: ScopeSetting | undefined;
  /** True for `--code-mode`. */
  readonly codeMode?: boolean | undefined;
  /** -1 for `-q`, the number of `-v`. */
  readonly verbosity?: number | undefined;
}

export interface ResolveOptions {
  readonly flags: SettingFlags;
  /** The variables of this process; see `readEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command writes to the home folder: then it is made if need be. */
  readonly saves: boolean;
}

/** A value in force and where it came from. */
export interface SettingValue {
  readonly value: JsonValue;
  readonly origin: Origin;
}

/** Everything the program was told, resolved; disposing removes what was temporary. */
export interface Configuration extends Disposable {
  readonly settings: Settings;
  /** The values somebody set, by configuration key; all others have their defaults. */
  readonly values: ReadonlyMap<string, SettingValue>;
  /** Whether it exists or not; undefined without a home folder. */
  readonly configFile: string | undefined;
  /** For the user, one line each. */
  readonly warnings: readonly string[];
  /** Why there is no home folder, or none that can be used; null: there is one. */
  readonly homeProblem: string | null;
}

/**
 * The one place that knows which value wins: flag, environment, `--env-file`, configuration file,
 * default. (The session's own setting, between flag and environment, is applied by the kernel,
 * which reads the tape.) Throws `config`.
 */
export async function resolveSettings(options: ResolveOptions): Promise<Configuration> {
  const { flags, saves } = options;
  const envPath = flags.envFile === undefined
    ? undefined
    : resolveEnvFile(flags.envFile, options.env);
  const envFile = envPath === undefined ? {} : await loadEnvFile(envPath);
  const env = mergeVariables(options.env, envFile);
  const workspace = resolveWorkspace(flags.workspace, env);
  const place = findHome(env);
  const configFile = place.path === undefined ? undefined : configPath(place.path);
  const config = configFile === undefined ? {} : await loadConfigFile(configFile);
  const own = variableSettings(options.env);
  const filed = variableSettings(
    Object.fromEntries(Object.entries(envFile).map(([name, { value }]) => [name, value])),
    (name) => `${flags.envFile}:${envFile[name]?.line}: `,
  );
  const values = rank([
    ["flag", flagValues(flags)],
    ["environment", own.values],
    ["env-file", filed.values],
    ["config", config],
  ]);
  const plugins = addPlugins(values, flags.plugins, configFile, env);
  const scope = mergeScope(values, flags.scope);
  const home = saves ? openHome(place) : untouchedHome(place);
  const settings = settle(values, {
    home,
    workspace,
    reasoningEffort: flags.reasoningEffort,
    verbosity: flags.verbosity,
    codeMode: flags.codeMode,
    plugins,
    scope,
    // The file too: it may be a link to somewhere else.
    ownFiles: [place.path, configFile, envPath, ...plugins].filter((path) => path !== undefined),
    configuredModel: model(own.values) ?? model(filed.values) ?? model(config),
    env,
  });
  return {
    settings,
    values,
    configFile,
    warnings: [...own.warnings, ...filed.warnings],
    homeProblem: home.notice,
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

function resolveEnvFile(path: string, env: Readonly<Record<string, string>>): string {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${startFolder(env)}/${path}`;
}

/** The variables of both; an empty one of the process counts as unset. */
function mergeVariables(own: Readonly<Record<string, string>>, file: EnvFile) {
  const merged: Record<string, string> = { ...own };
  for (const [name, { value }] of Object.entries(file)) {
    if (!merged[name]) merged[name] = value;
  }
  return merged;
}

/** The flags as settings. The command line has checked numbers, but not what a model looks like. */
function flagValues({ model, maxSteps }: SettingFlags): JsonObject {
  const found = model === undefined ? null : SETTINGS.model.shape(model);
  if (found !== null) throw new BubError("config", `--model ${found.problem}`);
  return { model, max_steps: maxSteps };
}

function rank(layers: readonly (readonly [Origin, JsonObject])[]): Map<string, SettingValue> {
  const values = new Map<string, SettingValue>();
  for (const [origin, layer] of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value !== undefined && !values.has(key)) values.set(key, { value, origin });
    }
  }
  return values;
}

function model(layer: JsonObject): string | undefined {
  return layer.model as string | undefined;
}

/**
 * The files of all plugins. The one setting that the command line adds to instead of replacing it;
 * `values` then holds all of them.
 */
function addPlugins(
  values: Map<string, SettingValue>,
  given: readonly string[] = [],
  configFile: string | undefined,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const configured = values.get("plugins")?.value as readonly string[] | undefined ?? [];
  if (configured.length + given.length === 0) return [];
  const files = pluginFiles({
    configured,
    configFolder: configFile === undefined ? "" : dirname(configFile),
    given,
    startFolder: given.length === 0 ? "" : startFolder(env),
    userFolder: userFolder(env),
  });
  values.set("plugins", { value: files, origin: given.length === 0 ? "config" : "flag" });
  return files;
}

/**
 * The bounds of tools: of their keys each flag replaces the configured one, and the others stay.
 * `values` then holds what is in force.
 */
function mergeScope(
  values: Map<string, SettingValue>,
  given: ScopeSetting = {},
): Scope | undefined {
  const configured = values.get("scope")?.value as ScopeSetting | undefined;
  const merged = { ...configured, ...given };
  if (Object.keys(given).length > 0) values.set("scope", { value: merged, origin: "flag" });
  return scopeOf(merged);
}

interface Settled {
  readonly home: Home;
  readonly workspace: string;
  readonly reasoningEffort: string | undefined;
  readonly verbosity: number | undefined;
  readonly codeMode: boolean | undefined;
  readonly plugins: readonly string[];
  readonly scope: Scope | undefined;
  readonly ownFiles: readonly string[];
  /** The model of the configuration, whatever the flag says. */
  readonly configuredModel: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Values into settings. Every value has been checked against its shape, so types are certain. */
function settle(values: ReadonlyMap<string, SettingValue>, facts: Settled): Settings {
  const get = <T>(key: SettingKey): T => (values.get(key)?.value ?? settingSpec(key)?.default) as T;
  const chosen = get<string | undefined>("model");
  const keyOwner = (facts.configuredModel ?? chosen)?.split(":", 1)[0]?.toLowerCase();
  const pass = get<JsonObject | undefined>("env")?.pass;
  return {
    home: facts.home.path,
    outputFolder: join(facts.home.scratch, "shells"),
    workspace: facts.workspace,
    model: chosen,
    modelOrigin: values.get("model")?.origin ?? "default",
    modelProblem: chosen === undefined ? unreadableModel() : undefined,
    fallbackModels: get("fallback_models"),
    reasoningEffort: facts.reasoningEffort,
    provider: (name) => providerAccess(name, (key) => values.get(key)?.value, keyOwner, facts.env),
    keyOwner,
    openaiApi: get("api"),
    maxSteps: get<number | undefined>("max_steps") ?? Infinity,
    maxTokens: get("max_tokens"),
    modelTimeoutSeconds: get<number | undefined>("model_timeout_seconds") ?? null,
    clientArgs: get("client_args"),
    completionArgs: get("completion_args"),
    verbosity: facts.verbosity ?? get("verbose"),
    spillThreshold: get("spill_threshold"),
    subagentTimeoutSeconds: get<number | undefined>("subagent_timeout_seconds") ?? null,
    subagentMaxConcurrency: get("subagent_max_concurrency"),
    subagents: get<Settings["subagents"] | undefined>("subagents") ?? {},
    commandPrefix: get("command_prefix"),
    plugins: facts.plugins,
    scope: facts.scope,
    ownFiles: facts.ownFiles,
    codeMode: facts.codeMode,
    codeLimits: {
      memoryBytes: get<number>("code_memory_mib") * MIB,
      outputBytes: get<number>("code_output_kib") * 1024,
    },
    envPass: Array.isArray(pass) ? pass : [],
    env: facts.env,
  };
}

function unreadableModel(): string | undefined {
  const variable = variableName("model");
  return isGranted({ name: "env", variable }) ? undefined : missingAccess("env", variable);
}
