import { BubError } from "../errors.ts";

/** What a message turns out to be. */
export type Inbound =
  /** A text command; `line` is all behind the prefix. */
  | { readonly kind: "command"; readonly line: string }
  /** Text for the model. */
  | { readonly kind: "prompt"; readonly text: string };

/**
 * A message that starts with the prefix is one command, whole, however many lines it has; after a
 * doubled prefix the rest is text for the model. An empty prefix turns commands off.
 */
export function parseInbound(message: string, prefix: string): Inbound {
  if (prefix === "" || !message.startsWith(prefix)) return { kind: "prompt", text: message };
  const line = message.slice(prefix.length);
  return line.startsWith(prefix)
    ? { kind: "prompt", text: line.slice(prefix.length) }
    : { kind: "command", line };
}

/** One value of a command line. */
export interface CommandValue {
  /** The name before the first `=`, or undefined for a positional value. */
  readonly key: string | undefined;
  /** The value without its quotes, escapes resolved. */
  readonly text: string;
  /** Index in the line at which the word starts, in UTF-16 units. */
  readonly start: number;
  /** Index at which its value starts. */
  readonly valueStart: number;
}

/** Where a tool name may stand before `=`: `https://host/?a=b` is a value, no key. */
const KEY = /([A-Za-z_][\w.-]*)=/y;

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", n: "\n", t: "\t" };

/**
 * The values of a command from index `from` of its line on. Blanks and line breaks separate them.
 * A value that starts with a quote ends at the next one: everything inside single quotes is
 * literal, inside double quotes `\"`, `\\`, `\n` and `\t` are escapes and any other backslash
 * stays as it is. Quotes elsewhere are ordinary characters, so `kinds=["event"]` needs none
 * around it. Throws `invalid_input` with the column.
 */
export function* splitValues(
  line: string,
  from: number,
  offset = 0,
): Generator<CommandValue, void, void> {
  let at = skipBlanks(line, from);
  while (at < line.length) {
    const start = at;
    KEY.lastIndex = at;
    const key = KEY.exec(line)?.[1];
    if (key !== undefined) at += key.length + 1;
    const valueStart = at;
    const quote = line[at];
    let text: string;
    if (quote === '"' || quote === "'") {
      ({ text, end: at } = readQuoted(line, at, quote, offset));
      if (at < line.length && !isBlank(line, at)) {
        throw lineError(`text right behind the closing ${quote}`, line, at, offset);
      }
    } else {
      while (at < line.length && !isBlank(line, at)) at++;
      text = line.slice(valueStart, at);
    }
    yield { key, text, start, valueStart };
    at = skipBlanks(line, at);
  }
}

/**
 * An error about one place of a command line. Columns count characters from 1, those of the prefix
 * included (`offset` of them); the line is named where there are several.
 */
export function lineError(what: string, line: string, index: number, offset: number): BubError {
  const before = line.slice(0, index).split("\n");
  const row = before.length;
  const column = Array.from(before.at(-1) ?? "").length + 1 + (row === 1 ? offset : 0);
  const where = line.includes("\n") ? `line ${row}, column ${column}` : `column ${column}`;
  return new BubError("invalid_input", `${what} at ${where}`);
}

function readQuoted(line: string, open: number, quote: string, offset: number) {
  let text = "";
  for (let at = open + 1; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === quote) return { text, end: at + 1 };
    const escaped = quote === '"' && character === "\\" ? ESCAPES[line[at + 1] ?? ""] : undefined;
    text += escaped ?? character;
    if (escaped !== undefined) at++;
  }
  throw lineError(`no closing ${quote} for the one`, line, open, offset);
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBlank(line, at)) at++;
  return at;
}

function isBlank(line: string, index: number): boolean {
  return /\s/.test(line[index] ?? "");
}
