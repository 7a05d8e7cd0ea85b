import { closeMatches } from "../close_match.ts";
import { isGranted } from "../environment/granted.ts";
import { BubError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { PROVIDERS } from "../model/provider.ts";
import { checked, settingKeys, type SettingSpec, settingSpec, variableName } from "./schema.ts";

/** Variables of other programs that decide something here. */
const FOREIGN = [
  "HOME",
  "USERPROFILE",
  "INIT_CWD",
  "NO_COLOR",
  "TERM",
  "PATH",
  "SHELL",
  "TMPDIR",
  "TMP",
  "TEMP",
];

/**
 * The variables this process may see; where only some are allowed, those of the known ones that
 * are. Nothing is asked for.
 */
export function readEnvironment(): Readonly<Record<string, string>> {
  if (isGranted({ name: "env" })) return Deno.env.toObject();
  const variables: Record<string, string> = {};
  for (const name of knownVariables()) {
    if (!isGranted({ name: "env", variable: name })) continue;
    const value = Deno.env.get(name);
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

function knownVariables(): readonly string[] {
  const usual = Object.values(PROVIDERS).flatMap(({ keyVariables, baseVariables }) => [
    ...keyVariables,
    ...baseVariables,
  ]);
  return ["BUB_HOME", ...settingKeys().map(variableName), ...usual, ...FOREIGN];
}

/** The `BUB_` variables as settings, by configuration key. Empty ones count as unset. */
export interface VariableSettings {
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Variables that look like a slip of the pen. */
  readonly warnings: readonly string[];
}

/**
 * Parses and checks the variables. Throws `config`, naming the variable, what it holds and what
 * would be right; `where` says the place a variable was set, with a colon and a space behind it.
 */
export function variableSettings(
  env: Readonly<Record<string, string>>,
  where: (name: string) => string = () => "",
): VariableSettings {
  const values: Record<string, JsonValue> = {};
  const warnings: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith("BUB_") || text === "" || name === "BUB_HOME") continue;
    const key = name.slice("BUB_".length).toLowerCase();
    const spec = settingSpec(key);
    if (spec !== undefined && spec.variable !== "none") {
      values[key] = settingValue(name, text, spec, where);
    } else {
      const hint = spec === undefined
        ? closeVariable(name)
        : `${key} is only a key in config.jsonc`;
      if (hint !== null) warnings.push(`${where(name)}${name} is not a known variable; ${hint}`);
    }
  }
  return { values, warnings };
}

function closeVariable(name: string): string | null {
  const known = settingKeys().filter((key) => settingSpec(key)?.variable !== "none");
  const [close] = closeMatches(name, known.map(variableName));
  return close === undefined ? null : `did you mean ${close}?`;
}

function settingValue(
  name: string,
  text: string,
  spec: SettingSpec,
  where: (name: string) => string,
): JsonValue {
  const either = spec.variable === "text-or-object";
  const isJson = spec.variable === "json" || (either && text.startsWith("{"));
  const value = isJson ? parseJson(text) : text;
  if (value === undefined && either) {
    throw new BubError("config", `${where(name)}${name} must be text or a JSON object by provider`);
  }
  const found = checked(spec, value ?? text);
  if (found === null) return value ?? text;
  const place = [name, ...found.path].join(".");
  const hint = value === undefined && typeof spec.default === "object" ? ", as JSON" : "";
  throw new BubError("config", `${where(name)}${place} ${found.problem}${hint}`);
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
