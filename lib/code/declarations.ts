import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Parameter, parametersOf } from "../tool/parameter.ts";

/** A tool as code is told of it. */
export interface DeclaredTool {
  /** The name code calls it by. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its one argument, an object. */
  readonly parameters: JsonObject;
}

/** TypeScript declarations of `tools`, short: models pay for each of them with every request. */
export function declareTools(tools: readonly DeclaredTool[]): string {
  return ["declare const tools: {", ...tools.map(declaration), "};"].join("\n");
}

function declaration({ name, description, parameters }: DeclaredTool): string {
  return `/** ${commentText(description)} */\n${memberName(name)}(${
    argument(parameters)
  }): Promise<any>;`;
}

function argument(schema: JsonObject): string {
  const parameters = parametersOf(schema);
  if (parameters.length === 0 && !isJsonObject(schema.additionalProperties)) return "";
  const optional = parameters.some(({ required }) => required) ? "" : "?";
  return `args${optional}: ${typeText(schema)}`;
}

/** The type of what a schema admits; `any` where it says nothing that a type can. */
function typeText(schema: JsonObject): string {
  const type = union(alternativesOf(schema));
  return schema.default === null ? nullable(type) : type;
}

/** Types of which a value has one, each only once. */
function alternativesOf(schema: JsonObject): readonly string[] {
  const { anyOf, oneOf, allOf, type } = schema;
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value));
  const inner = anyOf ?? oneOf;
  if (Array.isArray(inner)) return inner.map(innerType);
  if (Array.isArray(allOf)) return [allOf.map(innerType).map(bracketed).join(" & ")];
  if (Array.isArray(type)) return type.map((each) => plainType(each, schema));
  return [plainType(type, schema)];
}

function plainType(type: JsonValue | undefined, schema: JsonObject): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return type;
    case "integer":
      return "number";
    case "array":
      return arrayType(schema);
    case "object":
      return objectType(schema);
    default:
      return "any";
  }
}

function arrayType({ items }: JsonObject): string {
  return Array.isArray(items)
    ? `[${items.map(innerType).join(", ")}]`
    : `${bracketed(innerType(items))}[]`;
}

function objectType(schema: JsonObject): string {
  const members = parametersOf(schema).map(member);
  const { additionalProperties: others } = schema;
  const named = isJsonObject(others) ? typeText(others) : "any";
  if (members.length === 0) return `Record<string, ${named}>`;
  return `{${
    [...members, ...isJsonObject(others) ? [`[name: string]: ${named}`] : []].join(", ")
  }}`;
}

function member({ name, schema, required }: Parameter): string {
  const facts = [schema.description, defaultText(schema)].filter((fact) => fact !== undefined);
  const comment = facts.length === 0 ? "" : ` /* ${commentText(facts.join("; "))} */`;
  return `${memberName(name)}${required ? "" : "?"}: ${typeText(schema)}${comment}`;
}

function defaultText(schema: JsonObject): string | undefined {
  if (schema.default === undefined || schema.default === null) return undefined;
  return `default ${JSON.stringify(schema.default)}`;
}

function innerType(schema: JsonValue | undefined): string {
  return isJsonObject(schema) ? typeText(schema) : "any";
}

function union(types: readonly string[]): string {
  return types.includes("any") ? "any" : [...new Set(types)].join(" | ");
}

function nullable(type: string): string {
  return type === "any" || /(^|\| )null$/.test(type) ? type : `${type} | null`;
}

/** A type that something can be put behind. */
function bracketed(type: string): string {
  return /^(?:\w+|\{[^{}]*\}|Record<[^<>]*>)(?:\[\])*$/.test(type) ? type : `(${type})`;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Text on one line that cannot end the comment it stands in. */
function commentText(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/");
}
