import { alternatives } from "../close_match.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** One parameter of a tool, read from the JSON Schema of its arguments. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** The parameters in the order they were declared: that of positional values. */
export function parametersOf(schema: JsonObject): readonly Parameter[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    schema: isJsonObject(inner) ? inner : {},
    required: required.includes(name),
  }));
}

/** How a command is written, such as `fs.read path [offset=0] [limit=null]`. */
export function signature(name: string, schema: JsonObject): string {
  const parameters = parametersOf(schema).map(({ name, schema, required }) => {
    if (required) return name;
    return schema.default === undefined
      ? `[${name}]`
      : `[${name}=${JSON.stringify(schema.default)}]`;
  });
  return [name, ...parameters].join(" ");
}

/** The JSON types a value may have; none means any. */
export function acceptedTypes(schema: JsonObject): ReadonlySet<string> {
  const types = new Set<string>();
  for (const inner of branches(schema)) {
    if (Array.isArray(inner.type)) { for (const type of inner.type) types.add(String(type)); }
    else if (typeof inner.type === "string") types.add(inner.type);
    else for (const value of literals(inner) ?? []) types.add(jsonType(value));
  }
  if (schema.default === null && types.size > 0) types.add("null");
  return types;
}

/** What a value has to be, in words: `a whole number of at least 0 or null`. */
export function expectation(schema: JsonObject): string {
  const words = branches(schema).flatMap(describe);
  if (schema.default === null) words.push("null");
  return words.length === 0 ? "a value" : alternatives([...new Set(words)]);
}

/** The schema of what stands at `path` inside a value of `schema`, where that is told. */
export function schemaAt(
  schema: JsonObject,
  path: readonly PropertyKey[],
): JsonObject | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  for (const inner of branches(schema)) {
    const properties = isJsonObject(inner.properties) ? inner.properties : {};
    const next = typeof step === "number"
      ? inner.items
      : Object.hasOwn(properties, step)
      ? properties[String(step)]
      : inner.additionalProperties;
    const found = isJsonObject(next) ? schemaAt(next, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A schema's alternatives, or itself. */
function branches(schema: JsonObject): readonly JsonObject[] {
  const inner = schema.anyOf ?? schema.oneOf;
  return Array.isArray(inner) ? inner.filter(isJsonObject).flatMap(branches) : [schema];
}

function literals(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function jsonType(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function describe(schema: JsonObject): readonly string[] {
  const values = literals(schema);
  if (values !== undefined) return values.map((value) => JSON.stringify(value));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.flatMap((type) => {
    const word = typeWord(type, schema);
    return word === undefined ? [] : [word];
  });
}

function typeWord(type: JsonValue | undefined, schema: JsonObject): string | undefined {
  switch (type) {
    case "string":
      return Number(schema.minLength) > 0 ? "text that is not empty" : "text";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "integer":
      return `a whole number${bounds(schema)}`;
    case "number":
      return `a number${bounds(schema)}`;
    case "array":
      return isJsonObject(schema.items) ? `a list of ${expectation(schema.items)}` : "a list";
    case "object":
      return isJsonObject(schema.additionalProperties)
        ? `an object with values that are ${expectation(schema.additionalProperties)}`
        : "an object";
    default:
      return undefined;
  }
}

function bounds(schema: JsonObject): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const words: string[] = [];
  if (minimum !== undefined) words.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) words.push(`more than ${exclusiveMinimum}`);
  if (maximum !== undefined) words.push(`at most ${maximum}`);
  if (exclusiveMaximum !== undefined) words.push(`less than ${exclusiveMaximum}`);
  return words.length === 0 ? "" : ` of ${words.join(" and ")}`;
}
