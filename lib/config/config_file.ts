import { isGranted } from "../environment/granted.ts";
import { BubError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { isBlank, lineAt, lineOf } from "./position.ts";
import { configShape } from "./schema.ts";
import { readSettingsFile } from "./settings_file.ts";

/** The configuration file of a home folder. */
export function configPath(home: string): string {
  return `${home}${Deno.build.os === "windows" ? "\\" : "/"}config.jsonc`;
}

/**
 * The checked settings of a configuration file; none when there is no file, when it is empty, or
 * when it lies where this process may not read. Throws `config` with file and line.
 */
export async function loadConfigFile(path: string): Promise<JsonObject> {
  if (!isGranted({ name: "read", path })) return {};
  const source = await readSettingsFile(path);
  return source === null ? {} : await parseConfig(source, path);
}

/** Parses and checks the text of a configuration file; `path` is for the messages. */
export async function parseConfig(source: string, path: string): Promise<JsonObject> {
  const value = await parseSource(source, path);
  const found = configShape(value);
  if (found === null) return value as JsonObject;
  const line = lineOf(source, found.path);
  const name = found.path.length === 0 ? "the configuration" : `"${found.path.join(".")}"`;
  throw new BubError("config", `${path}:${line}: ${name} ${found.problem}`);
}

async function parseSource(source: string, path: string): Promise<JsonValue> {
  if (isBlank(source)) return {};
  try {
    return JSON.parse(source);
  } catch {
    // Comments or trailing commas, or really broken: the larger grammar decides.
  }
  const { parse } = await import("@std/jsonc");
  try {
    return parse(source) as JsonValue;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = / at position (\d+)/.exec(message);
    const line = lineAt(source, position === null ? source.length : Number(position[1]));
    const problem = message.replace(/^Cannot parse JSONC: /, "").replace(/ in JSONC at .*$/s, "");
    throw new BubError("config", `${path}:${line}: ${problem}, where JSON is expected`, { cause });
  }
}
