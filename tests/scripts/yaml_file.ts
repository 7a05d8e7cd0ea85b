import { load } from "js-yaml";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { assert } from "../assert.ts";

/** Reads a YAML file of the repository whose top is a mapping. */
export async function readYaml(path: string): Promise<JsonObject> {
  return parseYaml(await Deno.readTextFile(new URL(path, ROOT)), path);
}

export function parseYaml(text: string, name: string): JsonObject {
  const value = load(text);
  assert(isJsonObject(value), `${name} is no mapping`);
  return value;
}

/** The mapping under keys, one inside of the other; fails where there is none. */
export function mapping(value: unknown, ...keys: readonly string[]): JsonObject {
  assert(isJsonObject(value), `${keys[0] ?? ""} is looked for in what is no mapping`);
  const [key, ...inner] = keys;
  return key === undefined ? value : mapping(value[key], ...inner);
}

/** Every mapping in a value, itself included. */
export function mappings(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(mappings);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(mappings)] : [];
}
