import type { z as Zod } from "zod";
import { closeMatches } from "../close_match.ts";
import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { expectation, parametersOf, schemaAt } from "./parameter.ts";
import { quote, shorten } from "./quote.ts";
import { loadZod } from "./schema.ts";
import type { Tool } from "./tool.ts";

/** How much of one wrong value, in characters, an error quotes. */
const VALUE_LENGTH = 80;

/**
 * The arguments of a call from the text a model wrote. Nothing at all (missing, null, blank)
 * stands for `{}`, as providers send it for calls without arguments; whatever else is no JSON
 * object throws `invalid_input`.
 */
export function parseArguments(toolName: string, raw: unknown): JsonObject {
  const text = typeof raw === "string" ? raw.trim() : raw;
  if (text === undefined || text === null || text === "" || text === "null") return {};
  const value = typeof text === "string" ? parseJson(toolName, text) : text;
  if (isJsonObject(value)) return value;
  throw new BubError(
    "invalid_input",
    `the arguments of ${toolName} must be a JSON object, got ${quote(value)}`,
  );
}

function parseJson(toolName: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Only the fault and its place: what V8 quotes after them may be half a character.
    const [reason = ""] = String(cause).replace("SyntaxError: ", "").split(/ in JSON|, "| \(/);
    throw new BubError(
      "invalid_input",
      `the arguments of ${toolName} must be a JSON object, got text that is no JSON ` +
        `(${reason.toWellFormed()}): ${shorten(text)}`,
      { cause },
    );
  }
}

/**
 * The arguments as the tool takes them, defaults filled in. Throws `invalid_input` that names
 * every parameter that is wrong, what it has to be and what came. `schema` is the JSON Schema of
 * the tool, asked for only to word an error.
 */
export async function checkArguments(
  tool: Tool,
  args: JsonObject,
  schema: () => Promise<JsonObject>,
): Promise<Record<string, unknown>> {
  const { z } = await loadZod();
  const checked = await tool.parameters(z).safeParseAsync(args);
  if (checked.success) return checked.data;
  const known = await schema();
  const faults = checked.error.issues.map((issue) => fault(issue, args, known));
  throw new BubError("invalid_input", `bad arguments for ${tool.name}: ${faults.join("; ")}`, {
    cause: checked.error,
  });
}

function fault(issue: Zod.core.$ZodIssue, args: JsonObject, schema: JsonObject): string {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue, schema);
  const name = pathText(issue.path);
  const came = quote(valueAt(args, issue.path), VALUE_LENGTH);
  const asked = issue.path.length === 0 ? undefined : schemaAt(schema, issue.path);
  if (asked === undefined || !saidBySchema(issue)) return `${name}: ${issue.message}, got ${came}`;
  const ceiling = issue.code === "too_big" && issue.maximum === Number.MAX_SAFE_INTEGER
    ? ` up to ${Number.MAX_SAFE_INTEGER}`
    : "";
  return `${name} must be ${expectation(asked)}${ceiling}, got ${came}`;
}

/** Whether the words for the schema explain an issue; what zod says of the others is better. */
function saidBySchema(issue: Zod.core.$ZodIssue): boolean {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_union":
    case "invalid_value":
      return true;
    case "too_big":
    case "too_small":
      return issue.origin === "number" || issue.origin === "int";
    default:
      return false;
  }
}

function unknownKeys(issue: Zod.core.$ZodIssueUnrecognizedKeys, schema: JsonObject): string {
  const inside = schemaAt(schema, issue.path) ?? {};
  const names = parametersOf(inside).map(({ name }) => name);
  const at = issue.path.length === 0 ? "" : ` in ${pathText(issue.path)}`;
  return issue.keys.map((key) => unknownParameter(key, names, at)).join("; ");
}

/** What an unknown parameter name is answered with, here and on the command line. */
export function unknownParameter(key: string, names: readonly string[], at = ""): string {
  const close = closeMatches(key, names);
  const hint = close.length > 0
    ? `did you mean ${close.join(", ")}?`
    : names.length > 0
    ? `there are ${names.join(", ")}`
    : "there are none";
  return `unknown parameter ${quote(key, VALUE_LENGTH)}${at}, ${hint}`;
}

/** `kinds[0]`, `headers.accept`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.map((step, index) => {
    if (typeof step === "number") return `[${step}]`;
    return index === 0 ? String(step) : `.${String(step)}`;
  }).join("") || "the arguments";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}
