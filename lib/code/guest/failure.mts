import { isNativeError } from "node:util/types";
import { apply, defineProperty, getMember, match, NativeError, part } from "./primordials.mts";

/** How V8 calls the code: what the comment at its end says, whatever such comments it has itself. */
export const CODE_NAME = "run_code";

/** Lines that stand before the code in the function that is made of it. */
export const LINES_ABOVE = 3;

/** The most characters of a line that are shown. */
const SHOWN_LINE = 160;

/** UTF-16 units of what was thrown that are shown. */
const SHOWN_UNITS = 8 * 1024;

const { toString: errorToString } = Error.prototype;

/** As much of V8's frames as is used. */
interface Frame {
  getScriptNameOrSourceURL(): string | undefined;
  getFunctionName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

/**
 * Makes the stacks of errors show the code's own frames alone, by its own lines. For good: with
 * frames as V8 has them code could look at ours.
 */
export function ownStacks(): void {
  defineProperty(Error, "prepareStackTrace", { value: formatStack });
}

function formatStack(error: unknown, frames: readonly Frame[]): string {
  let stack = heading(error);
  for (let n = 0; n < frames.length; n++) {
    const frame = frames[n];
    if (frame?.getScriptNameOrSourceURL() !== CODE_NAME) continue;
    const line = (frame.getLineNumber() ?? 0) - LINES_ABOVE;
    const name = frame.getFunctionName();
    const of = name === null || name === "eval" || name === "anonymous" ? "" : ` in ${name}`;
    if (line > 0) stack += `\n    at line ${line}, column ${frame.getColumnNumber()}${of}`;
  }
  return stack;
}

/** `TypeError: what happened`, cut where that is long. */
function heading(error: unknown): string {
  try {
    return shownText(apply(errorToString, error, []));
  } catch {
    return "Error";
  }
}

/** The first of a text that was thrown, and how much more there is. */
export function shownText(text: string): string {
  const more = text.length - SHOWN_UNITS;
  return more > 0 ? `${part(text, 0, SHOWN_UNITS)}… [${more} more characters are left out]` : text;
}

/** Whether a value is an error of the language or the runtime. Never throws. */
export function isError(value: unknown): value is Error {
  try {
    return isNativeError(value) || value instanceof NativeError;
  } catch {
    return false;
  }
}

/**
 * An error in one line, with its place in the code; with `lines`, the code's own, also what stands
 * there.
 */
export function describeError(error: Error, lines: readonly string[] = []): string {
  const kind = kindOf(error);
  const place = placeOf(error, lines);
  const facts = kind === "" || place === "" ? kind + place : `${kind}; ${place}`;
  return heading(error) + (facts === "" ? "" : ` (${facts})`) + causeOf(error);
}

function kindOf(error: Error): string {
  const kind = read(error, "kind");
  return typeof kind === "string" ? `kind ${kind}` : "";
}

function placeOf(error: Error, lines: readonly string[]): string {
  const stack = read(error, "stack");
  const found = typeof stack === "string"
    ? match(/\n {4}at line (\d+), column (\d+)/, stack)
    : null;
  if (found === null) return "";
  const line = +(found[1] ?? 0);
  const text = lines[line - 1];
  return `line ${line}, column ${found[2]}${text === undefined ? "" : `: ${shownLine(text)}`}`;
}

function causeOf(error: Error): string {
  const cause = read(error, "cause");
  return isError(cause) ? `, because of ${heading(cause)}` : "";
}

/** A line of the code without the spaces around it, cut where it is long. */
export function shownLine(line: string): string {
  const trimmed = match(/^\s*(.*?)\s*$/s, line)?.[1] ?? "";
  return trimmed.length > SHOWN_LINE ? `${part(trimmed, 0, SHOWN_LINE)}…` : trimmed;
}

function read(error: Error, name: "kind" | "stack" | "cause"): unknown {
  try {
    return getMember(error, name);
  } catch {
    return undefined;
  }
}
