import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Tool } from "./tool.ts";

/**
 * zod, loaded at its first use, which takes some 30 ms: a caller that has to wait for something
 * else, such as a model's answer, has it ready by calling this before.
 */
export function loadZod(): Promise<typeof import("zod")> {
  return import("zod");
}

/** The JSON Schemas of tools' arguments: generated ahead, or made once from zod when asked for. */
export class ToolSchemas {
  readonly #known = new Map<Tool, JsonObject | Promise<JsonObject>>();

  /**
   * `generated` has schemas of `tools` by runtime name. It counts for those very tools: one that
   * overrides a built-in tool under its name has a schema of its own.
   */
  constructor(tools: Iterable<Tool> = [], generated: Readonly<Record<string, JsonObject>> = {}) {
    for (const tool of tools) {
      const schema = Object.hasOwn(generated, tool.name) ? generated[tool.name] : undefined;
      if (schema !== undefined) this.#known.set(tool, schema);
    }
  }

  async of(tool: Tool): Promise<JsonObject> {
    let schema = this.#known.get(tool);
    if (schema === undefined) {
      schema = argumentsSchema(tool);
      this.#known.set(tool, schema);
    }
    return await schema;
  }
}

/**
 * JSON Schema of a tool's arguments as models are told it: draft 7 without what only costs tokens.
 * A parameter that is null unless given (`cwd=null`) has the schema of its other values and
 * `default: null`, which every provider understands.
 */
export async function argumentsSchema(tool: Tool): Promise<JsonObject> {
  const { z } = await loadZod();
  const schema: unknown = z.toJSONSchema(tool.parameters(z), {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
  });
  const { $schema: _, additionalProperties, ...rest } = compact(schema as JsonObject);
  const members = { type: "object", properties: {}, ...rest };
  return additionalProperties === undefined || additionalProperties === false
    ? members
    : { ...members, additionalProperties };
}

/** One schema, and those inside it, without the bounds and key types that zod spells out. */
function compact(schema: JsonObject): JsonObject {
  const result: Record<string, JsonValue | undefined> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    if (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    // An object with any members: so much `type` says alone.
    if ((keyword === "additionalProperties" || keyword === "properties") && isEmpty(value)) {
      continue;
    }
    if (keyword === "propertyNames" && isJsonObject(value) && value.type === "string") continue;
    result[keyword] = value === undefined ? value : compactKeyword(keyword, value);
  }
  return schema.default === null ? withoutNull(result) : result;
}

function compactKeyword(keyword: string, value: JsonValue): JsonValue {
  if (keyword === "properties" && isJsonObject(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, inner]) => [name, compactInner(inner ?? {})]));
  }
  const holdsSchema = keyword === "items" || keyword === "additionalProperties";
  const holdsSchemas = keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf";
  if (Array.isArray(value) && (holdsSchemas || keyword === "items")) return value.map(compactInner);
  return holdsSchema ? compactInner(value) : value;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function compactInner(value: JsonValue): JsonValue {
  return isJsonObject(value) ? compact(value) : value;
}

/** A nullable schema with its null left to `default: null`. */
function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const others = type.filter((name) => name !== "null");
    return { ...rest, type: others.length === 1 ? others[0] : others };
  }
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter((inner) => !isJsonObject(inner) || inner.type !== "null");
  const [only] = others;
  return others.length === 1 && isJsonObject(only) ? { ...rest, ...only } : {
    ...rest,
    anyOf: others,
  };
}
