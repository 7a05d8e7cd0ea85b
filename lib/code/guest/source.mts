import { stripTypeScriptTypes } from "node:module";
import { CODE_NAME, shownLine } from "./failure.mts";
import { AsyncFunction } from "./primordials.mts";

/** Code that can be run, or the sentence that says why not. */
export type Compiled =
  | { readonly run: () => Promise<unknown>; readonly lines: readonly string[] }
  | { readonly problem: string };

/** Stands above the code, so that it is read as a module would be. */
const STRICT = '"use strict";\n';

/** A whole text that is one function. */
const FUNCTION = /^\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/;

/** What the compiler of types has at the end of a message. */
const POSITION = /^(?<message>[^]*?)\s+at \S+?:(?<line>\d+):(?<column>\d+)$/;

/**
 * Makes a function of JavaScript or TypeScript, which is its body: text cannot close it, for it is
 * never pasted into anything. Types become spaces, so that lines and columns stay. A fence around
 * the code is taken off, and code that is one function gets that called. Runs none of it.
 */
export function compile(code: string): Compiled {
  const text = withoutWrapping(code);
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const stripped = strip(text, lines);
  if (typeof stripped !== "string") return stripped;
  try {
    return { run: functionOf(stripped), lines };
  } catch (thrown) {
    return { problem: refusal(stripped, lines, String(thrown)) };
  }
}

/** Blanks out what is around the code; what stays keeps its place. */
function withoutWrapping(code: string): string {
  const text = code.replace(/^\uFEFF/, " ").replace(/^#!/, "//");
  const fenced = /^(\s*)(```[^\n`]*)(\r?\n[^]*\n[ \t]*)```\s*$/.exec(text);
  if (fenced === null) return text;
  const [, before = "", fence = "", inside = ""] = fenced;
  return before + " ".repeat(fence.length) + inside;
}

/** The text without its types; as it is, where what is wrong with it is nothing about types. */
function strip(text: string, lines: readonly string[]): string | { readonly problem: string } {
  try {
    return stripTypeScriptTypes(text);
  } catch (thrown) {
    const found = POSITION.exec(messageOf(thrown)) ?? POSITION.exec(parserMessage(text));
    if (found?.groups === undefined) return text;
    const { message = "", line, column } = found.groups;
    return { problem: syntaxError(message, lines, Number(line), Number(column)) };
  }
}

/** Removing types tells of a mistake only that there is one; translating tells which and where. */
function parserMessage(text: string): string {
  try {
    stripTypeScriptTypes(text, { mode: "transform" });
    return "";
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** `message` may have the parser's own picture of the place below its first line. */
function syntaxError(
  message: string,
  lines: readonly string[],
  line: number,
  column?: number,
): string {
  const sentence = message.split("\n", 1)[0]
    ?.replace(/^SyntaxError: /, "")
    .replace(/, got '<lexing error: .*$|\.$/, "");
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return `SyntaxError: ${sentence} (${place}: ${shownLine(lines[line - 1] ?? "")})`;
}

function functionOf(body: string): () => Promise<unknown> {
  const end = `\n//# sourceURL=${CODE_NAME}`;
  if (FUNCTION.test(body)) {
    try {
      return new AsyncFunction(
        `"use strict"; return await (\n${body.replace(/;\s*$/, "")}\n)();${end}`,
      );
    } catch {
      // It only begins with one.
    }
  }
  return new AsyncFunction(STRICT + body + end);
}

/** What the language itself has against code without types. */
function refusal(body: string, lines: readonly string[], message: string): string {
  const rule = /\bimport\b/.test(message)
    ? "code cannot import: it has the language itself, and `tools`"
    : /\bexport\b/.test(message)
    ? "code cannot export: it is the body of a function, and what it prints is its result"
    : message;
  return syntaxError(rule, lines, refusedLine(body, lines.length, message));
}

/**
 * The line that is refused, which the language does not tell: the first of those that, as the last
 * one, make for the same message.
 */
function refusedLine(body: string, count: number, message: string): number {
  const lines = body.split(/(?<=\r\n|[\n\u2028\u2029]|\r(?!\n))/);
  let [fine, refused] = [0, count];
  while (refused - fine > 1) {
    const middle = (fine + refused) >> 1;
    if (refuses(lines.slice(0, middle).join(""), message)) refused = middle;
    else fine = middle;
  }
  return refused;
}

function refuses(body: string, message: string): boolean {
  try {
    new AsyncFunction(STRICT + body);
    return false;
  } catch (thrown) {
    return String(thrown) === message;
  }
}
