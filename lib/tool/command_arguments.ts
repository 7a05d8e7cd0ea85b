import type { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { unknownParameter } from "./arguments.ts";
import { type CommandValue, lineError, splitValues } from "./command_line.ts";
import { acceptedTypes, expectation, type Parameter, parametersOf } from "./parameter.ts";
import { quote } from "./quote.ts";

/** A command line whose values are to be read. */
export interface CommandText {
  readonly line: string;
  /** Where the values start, behind the name. */
  readonly from: number;
  /** Characters before the line that columns count too: those of the prefix. */
  readonly offset: number;
}

/**
 * The arguments that a command line gives to a tool: positional values in the order of the
 * parameters, then `key=value`, each converted only as its parameter's schema asks. What is
 * missing is left to the check of the arguments. Throws `invalid_input` with the column.
 */
export function commandArguments(command: CommandText, schema: JsonObject): JsonObject {
  const parameters = parametersOf(schema);
  const args: [name: string, value: JsonValue][] = [];
  const given = new Set<string>();
  let keySeen = false;
  for (const value of splitValues(command.line, command.from, command.offset)) {
    if (value.key === undefined && keySeen) {
      throw faultAt(command, value.start, "a value without a name behind a key=value");
    }
    keySeen ||= value.key !== undefined;
    const parameter = value.key === undefined
      ? parameters[given.size]
      : parameters.find(({ name }) => name === value.key);
    if (parameter === undefined) throw noParameter(command, value, parameters);
    if (given.has(parameter.name)) {
      throw faultAt(command, value.start, `a second value for ${parameter.name}`);
    }
    given.add(parameter.name);
    args.push([parameter.name, convert(command, value, parameter)]);
  }
  return Object.fromEntries(args);
}

function noParameter(
  command: CommandText,
  { key, start }: CommandValue,
  parameters: readonly Parameter[],
): BubError {
  if (key === undefined) {
    const most = parameters.length === 1 ? "one value" : `${parameters.length} values`;
    const hint = parameters.length === 0 ? "no values" : `at most ${most}`;
    return faultAt(command, start, `one value too many (${hint}; quote text with spaces)`);
  }
  const names = parameters.map(({ name }) => name);
  return faultAt(command, start, `${unknownParameter(key, names)} (or quote the whole value)`);
}

/** Text stays text wherever the parameter takes text; else it is read as JSON of a type it takes. */
function convert(command: CommandText, value: CommandValue, parameter: Parameter): JsonValue {
  const types = acceptedTypes(parameter.schema);
  if (types.size === 0 || types.has("string")) return value.text;
  let read: JsonValue;
  try {
    read = JSON.parse(value.text);
  } catch {
    throw unsuitable(command, value, parameter, types);
  }
  if (jsonTypes(read).some((type) => types.has(type))) return read;
  throw unsuitable(command, value, parameter, types);
}

function unsuitable(
  command: CommandText,
  { text, valueStart }: CommandValue,
  { name, schema }: Parameter,
  types: ReadonlySet<string>,
): BubError {
  const note = types.has("array") || types.has("object")
    ? " as JSON, in quotes where it has blanks"
    : "";
  const what = `${name} must be ${expectation(schema)}${note}, got ${quote(text)}`;
  return faultAt(command, valueStart, what);
}

/** The names JSON Schema has for a value's type; 1.5 passes as an integer and fails the check. */
function jsonTypes(value: JsonValue): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (isJsonObject(value)) return ["object"];
  return typeof value === "number" ? ["number", "integer"] : [typeof value];
}

function faultAt({ line, offset }: CommandText, index: number, what: string): BubError {
  return lineError(what, line, index, offset);
}
