import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { parseArguments } from "./arguments.ts";
import { parametersOf } from "./parameter.ts";
import { quote } from "./quote.ts";

/** How much of a value, in characters, an error quotes. */
const VALUE_LENGTH = 80;

/**
 * The arguments of a call from code: an object of parameters, else the value of the first one.
 * Throws `invalid_input` for a value where there is no parameter, and for what is no JSON.
 */
export async function codeArguments(
  toolName: string,
  text: string,
  schema: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const value = jsonValue(text);
  if (value === undefined || value === null || isJsonObject(value)) {
    return parseArguments(toolName, value ?? text);
  }
  const [first] = parametersOf(await schema());
  if (first !== undefined) return { [first.name]: value };
  throw new BubError(
    "invalid_input",
    `${toolName} takes no arguments, got ${quote(value, VALUE_LENGTH)}`,
  );
}

function jsonValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
