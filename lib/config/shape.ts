import { closeMatches } from "../close_match.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { hideLogin } from "../model/secret.ts";

// Not zod: importing it costs 30 ms of a start-up budget of 80, and a configuration file is read at
// every start.

/** What is wrong with a value, and where in it. */
export interface Mistake {
  /** Keys and indices from the checked value down to the wrong one. */
  readonly path: readonly string[];
  /** Ends the sentence `<where> …`, such as `must be a positive integer, not "x"`. */
  readonly problem: string;
}

/** Finds the first mistake in a value; null: none. */
export type Shape = (value: JsonValue) => Mistake | null;

/** A shape that one test decides; `expected` reads after "must be". */
export function shape(expected: string, test: (value: JsonValue) => boolean): Shape {
  return (value) => test(value) ? null : mistake(expected, value);
}

export const text: Shape = shape("text", (value) => typeof value === "string");

export function wholeNumber(minimum: number, expected: string): Shape {
  return shape(expected, (value) => Number.isSafeInteger(value) && (value as number) >= minimum);
}

/** Finite numbers over 0: a time limit in seconds, say. */
export const positiveNumber: Shape = shape(
  "a number over 0",
  (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
);

export function oneOf(words: readonly string[]): Shape {
  const quoted = words.map((word) => JSON.stringify(word));
  return shape(
    quoted.length < 3 ? quoted.join(" or ") : `one of ${quoted.join(", ")}`,
    (value) => typeof value === "string" && words.includes(value),
  );
}

export function listOf(item: Shape, expected: string): Shape {
  return (value) => {
    if (!Array.isArray(value)) return mistake(expected, value);
    return firstMistake(value.entries().map(([index, each]) => [String(index), item(each)]));
  };
}

/** An object whose keys are free. */
export function recordOf(item: Shape, expected: string): Shape {
  return (value) => {
    if (!isJsonObject(value)) return mistake(expected, value);
    return firstMistake(members(value).map(([key, each]) => [key, item(each)]));
  };
}

/** An object with these members at most; none is required. */
export function objectOf(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value) => {
    if (!isJsonObject(value)) return mistake("an object", value);
    return firstMistake(
      members(value).map(([key, each]) => {
        const known = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
        return [key, known === undefined ? unknownKey(key, Object.keys(shapes)) : known(each)];
      }),
    );
  };
}

/** A text of one shape, or an object of another; `expected` is what any other value must be. */
export function textOr(
  whole: Shape,
  object: Shape,
  { expected }: { readonly expected: string },
): Shape {
  return (value) => {
    if (typeof value === "string") return whole(value);
    return isJsonObject(value) ? object(value) : mistake(expected, value);
  };
}

/** Either shape. When neither fits, a mistake deep inside says more than one about the whole. */
export function either(first: Shape, second: Shape): Shape {
  return (value) => {
    const mistakes = [first(value), second(value)];
    if (mistakes.includes(null)) return null;
    return mistakes.find((each) => each !== null && each.path.length > 0) ?? mistakes[0] ?? null;
  };
}

/** The mistake of a key that is not among `known`, with the close one or else those to `list`. */
export function unknownKey(
  key: string,
  known: readonly string[],
  list: readonly string[] = known,
): Mistake {
  const [close] = closeMatches(key, known);
  const hint = close === undefined ? `; known: ${list.join(", ")}` : `; did you mean "${close}"?`;
  return { path: [], problem: `is not a known key${hint}` };
}

function mistake(expected: string, value: JsonValue): Mistake {
  return { path: [], problem: `must be ${expected}, not ${shown(value)}` };
}

function shown(value: JsonValue): string {
  // 1e999 is read as Infinity, of which JSON would make null.
  const json = typeof value === "number" ? String(value) : JSON.stringify(value, hideLogin);
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`;
}

function members(object: JsonObject): IteratorObject<[string, JsonValue]> {
  return Object.entries(object).values().map(([key, value]) => [key, value ?? null]);
}

function firstMistake(checked: Iterable<readonly [string, Mistake | null]>): Mistake | null {
  for (const [key, found] of checked) {
    if (found !== null) return { ...found, path: [key, ...found.path] };
  }
  return null;
}
