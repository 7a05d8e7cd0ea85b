import type { JsonValue } from "../json.ts";
import { PROVIDER_NAMES } from "../model/provider.ts";
import { byProvider, clientArgs, key } from "./provider_shapes.ts";
import { scopeShape } from "./scope_setting.ts";
import {
  listOf,
  type Mistake,
  objectOf,
  oneOf,
  positiveNumber,
  recordOf,
  type Shape,
  shape,
  text,
  textOr,
  unknownKey,
  wholeNumber,
} from "./shape.ts";

/** How the text of a variable becomes a value. */
type VariableForm =
  /** As it is. */
  | "text"
  /** As JSON. */
  | "json"
  /** As JSON when it starts with `{`, else as it is. */
  | "text-or-object"
  /** There is no variable, only the key. */
  | "none";

/** One setting: its key in `config.jsonc`; the variable is the key in capitals behind `BUB_`. */
export interface SettingSpec {
  readonly shape: Shape;
  readonly variable: VariableForm;
  /** In force when nobody sets it. */
  readonly default?: JsonValue;
  /** Its value is never shown. */
  readonly secret?: true;
}

const model = shape(
  'a model as "provider:model"',
  (value) => typeof value === "string" && /^[^\s:]+:\S/.test(value),
);
const address = shape(
  "an http: or https: address",
  (value) => typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
);
const texts = listOf(text, "a list of texts");
const anyObject = recordOf(() => null, "an object");

const words = shape(
  "text that says something",
  (value) => typeof value === "string" && value.trim() !== "",
);

const PROFILE = {
  description: words,
  model,
  reasoning_effort: text,
  session: text,
  allowed_tools: texts,
  allowed_skills: texts,
  timeout_seconds: positiveNumber,
};

const profiles = recordOf(objectOf(PROFILE), "an object of profiles");

/** A profile is called by its name, so it has one. */
const namedProfiles: Shape = (value) => {
  const unnamed = Object.keys(value ?? {}).find((name) => name.trim() === "");
  if (unnamed === undefined) return profiles(value);
  return { path: [], problem: "must not have a profile without a name" };
};

const MCP_SERVER = {
  command: text,
  args: texts,
  env: recordOf(text, "an object of texts"),
  url: address,
  headers: recordOf(text, "an object of texts"),
};

/** Every setting but the home folder, which decides where the file is, and the providers' keys. */
export const SETTINGS = {
  model: { shape: model, variable: "text" },
  fallback_models: { shape: listOf(model, "a list of models"), variable: "json", default: [] },
  api_key: {
    shape: textOr(key, byProvider(key, "an object of texts by provider"), {
      expected: "text or an object of texts by provider",
    }),
    variable: "text-or-object",
    secret: true,
  },
  api_base: {
    shape: textOr(address, byProvider(address, "an object of addresses by provider"), {
      expected: "an address or an object of addresses by provider",
    }),
    variable: "text-or-object",
  },
  api: { shape: oneOf(["chat", "responses"]), variable: "none" },
  max_steps: { shape: wholeNumber(1, "a whole number from 1 on"), variable: "json" },
  max_tokens: {
    shape: wholeNumber(1, "a whole number from 1 on"),
    variable: "json",
    default: 16_384,
  },
  model_timeout_seconds: { shape: positiveNumber, variable: "json" },
  client_args: { shape: clientArgs, variable: "json", default: {}, secret: true },
  completion_args: { shape: anyObject, variable: "json", default: {} },
  verbose: {
    shape: shape("0, 1 or 2", (value) => value === 0 || value === 1 || value === 2),
    variable: "json",
    default: 0,
  },
  spill_threshold: {
    shape: wholeNumber(0, "a whole number from 0 on"),
    variable: "json",
    default: 4096,
  },
  subagent_timeout_seconds: { shape: positiveNumber, variable: "json" },
  subagent_max_concurrency: {
    shape: wholeNumber(1, "a whole number from 1 on"),
    variable: "json",
    default: 8,
  },
  code_memory_mib: {
    shape: wholeNumber(16, "a whole number from 16 on"),
    variable: "json",
    default: 256,
  },
  code_output_kib: {
    shape: wholeNumber(1, "a whole number from 1 on"),
    variable: "json",
    default: 1024,
  },
  command_prefix: {
    shape: shape(
      "one or more characters without spaces",
      (value) => typeof value === "string" && /^\S+$/.test(value),
    ),
    variable: "text",
    default: ",",
  },
  subagents: { shape: namedProfiles, variable: "none" },
  plugins: { shape: texts, variable: "none" },
  scope: { shape: scopeShape, variable: "none" },
  env: { shape: objectOf({ pass: texts }), variable: "none" },
  mcp: {
    shape: recordOf(objectOf(MCP_SERVER), "an object of servers"),
    variable: "none",
    secret: true,
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;

const PROVIDER_SETTINGS = {
  api_key: { shape: key, variable: "text", secret: true },
  api_base: { shape: address, variable: "text" },
} as const satisfies Record<string, SettingSpec>;

export type ProviderSettingKey = keyof typeof PROVIDER_SETTINGS;

/** The key of a provider's own setting, such as `openai_compatible_api_key`. */
export function providerKey(provider: string, setting: ProviderSettingKey): string {
  return `${provider.replaceAll("-", "_")}_${setting}`;
}

/** The setting a configuration key names; `<provider>_api_key` and `<provider>_api_base` count. */
export function settingSpec(key: string): SettingSpec | undefined {
  if (Object.hasOwn(SETTINGS, key)) return SETTINGS[key as SettingKey];
  for (const setting of ["api_key", "api_base"] as const) {
    if (!key.endsWith(setting)) continue;
    if (PROVIDER_NAMES.some((name) => providerKey(name, setting) === key)) {
      return PROVIDER_SETTINGS[setting];
    }
  }
  return undefined;
}

/** Every key there is: the settings and each provider's own. */
export function settingKeys(): readonly string[] {
  return [
    ...Object.keys(SETTINGS),
    ...PROVIDER_NAMES.flatMap((name) => [
      providerKey(name, "api_key"),
      providerKey(name, "api_base"),
    ]),
  ];
}

/** The variable of a configuration key. */
export function variableName(key: string): string {
  return `BUB_${key.toUpperCase()}`;
}

/** The shape of a whole configuration file. */
export const configShape: Shape = (value) => {
  const whole = anyObject(value);
  if (whole !== null) return whole;
  for (const [key, member] of Object.entries(value as Record<string, JsonValue>)) {
    const spec = settingSpec(key);
    const found = spec === undefined ? unknownSetting(key) : checked(spec, member);
    if (found !== null) return { ...found, path: [key, ...found.path] };
  }
  return null;
};

/** Checks one value of a setting. The problem of a secret one does not show the value. */
export function checked(spec: SettingSpec, value: JsonValue): Mistake | null {
  const found = spec.shape(value);
  if (found === null || spec.secret === undefined) return found;
  return { ...found, problem: found.problem.replace(/, not .*$/s, "") };
}

function unknownSetting(key: string): Mistake {
  if (key === "home") {
    return { path: [], problem: "is where this file itself is found: set the variable BUB_HOME" };
  }
  return unknownKey(key, settingKeys(), Object.keys(SETTINGS));
}
