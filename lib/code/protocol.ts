import type { BubError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { SandboxCall } from "./sandbox.ts";

/**
 * What passes between the host, the helper process and the guest in its worker: lines, each a JSON
 * array that begins with a word. Lines of the helper start with a nonce that the guest never sees,
 * so that nothing else which reaches the pipe can be taken for one. What the guest itself says may
 * be forged by the code; all that it can ask for are calls, which are checked like any other.
 */

/** UTF-16 units of JSON text that an argument or a result of a call may have. */
export const MAX_VALUE_UNITS = 16 * 2 ** 20;

/** Units that the arguments of all calls under way may have together, which the host holds. */
export const MAX_HELD_UNITS = 2 * MAX_VALUE_UNITS;

/** Units of an error's message, to the code and of it. */
const MAX_MESSAGE_UNITS = 64 * 1024;

/** Units of a line: quotes of an argument in it are escaped once more. */
export const MAX_LINE_UNITS = 2 * MAX_VALUE_UNITS + 1024;

/** Printed text over the kept part that ends the run: this many times what is kept. */
export const FLOOD_FACTOR = 16;

/** What a run begins with. */
export interface StartOptions extends JsonObject {
  readonly code: string;
  readonly tools: readonly string[];
  /** Milliseconds, from here on. */
  readonly timeoutMs: number;
  /** Bytes over what the idle helper takes. */
  readonly memoryBytes: number;
  /** UTF-16 units of printed text that end the run. */
  readonly floodUnits: number;
}

/** Exit codes of a helper that ends a run, and why. */
export const HELPER_EXITS = { memory: 81, timeout: 82, output: 83, guest: 84 } as const;
export type HelperExit = keyof typeof HELPER_EXITS;

/** What the helper says: that it took the start, else what the guest says. */
export type HelperMessage =
  | { readonly type: "ready" }
  | { readonly type: "started" }
  | { readonly type: "print"; readonly text: string }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "call"; readonly call: SandboxCall }
  /** The code came to its end; `problem` says what it failed with. */
  | { readonly type: "end"; readonly problem: string | null; readonly returned: boolean };

/** The start of a line with printed text. */
export const PRINT_START = '["print",';

export function startLine(options: StartOptions): string {
  return JSON.stringify(["start", options]);
}

/** What a call came to; undefined where that is longer than a value may be. */
export function answerLine(number: number, value: JsonValue): string | undefined {
  if (typeof value === "string" && value.length > MAX_VALUE_UNITS) return undefined;
  const text = jsonOf(value);
  return text === undefined ? undefined : `["answer",${number},${text}]`;
}

/** What a call failed with, its message cut and its details left out where they are too long. */
export function failureLine(number: number, { kind, message, details }: BubError): string {
  const shown = JSON.stringify(shownMessage(message));
  const start = `["failure",${number},${JSON.stringify(kind)},${shown}`;
  const facts = details === undefined ? undefined : jsonOf(details);
  return facts === undefined ? `${start}]` : `${start},${facts}]`;
}

/** A message, cut where it is too long. Guests say less; one that is taken over may say more. */
export function shownMessage(message: string): string {
  return message.length > MAX_MESSAGE_UNITS ? `${message.slice(0, MAX_MESSAGE_UNITS)}…` : message;
}

function jsonOf(value: JsonValue): string | undefined {
  try {
    const text = JSON.stringify(value);
    return text.length > MAX_VALUE_UNITS ? undefined : text;
  } catch (error) {
    // The engine holds no text that is so long.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The options of a start line, which the host alone writes. */
export function parseStart(line: string): StartOptions {
  const [, options]: readonly ["start", StartOptions] = JSON.parse(line);
  return options;
}

/** What a line of the helper says, less its nonce; undefined: nothing that is part of this. */
export function parseHelperLine(line: string): HelperMessage | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [type, first, second, third]: unknown[] = parts;
  switch (type) {
    case "ready":
    case "started":
      return { type };
    case "print":
    case "note":
      return typeof first === "string" ? { type, text: first } : undefined;
    case "call":
      if (!Number.isSafeInteger(first) || typeof second !== "string") return undefined;
      if (typeof third !== "string") return undefined;
      return { type, call: { number: Number(first), name: second, args: third } };
    case "end":
      if (first !== null && typeof first !== "string") return undefined;
      return { type, problem: first, returned: second === true };
    default:
      return undefined;
  }
}
