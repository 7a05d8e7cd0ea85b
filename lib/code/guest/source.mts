import { stripTypeScriptTypes } from "node:module";
import { CODE_NAME, LINES_ABOVE, shownLine } from "./failure.mts";
import { AsyncFunction } from "./primordials.mts";
import { type Place, placeOf } from "./reports.mts";

/** Code that can be run, or the sentence that says why not. */
export type Compiled =
  | { readonly run: () => Promise<unknown>; readonly lines: readonly string[] }
  | { readonly problem: string };

/** Stands above the code, so that it is read as a module would be. */
const STRICT = '"use strict";\n';

/** The start of a text that may be one function; what stands before it is never read twice. */
const FUNCTION =
  /^(?:(?=(\s+|\/\/.*|\/\*[^]*?\*\/))\1)*(?:async\s+)?(?:(?<declared>function\b)|\([^()]*\)\s*=>|[\w$]+\s*=>)/;

const END = `\n//# sourceURL=${CODE_NAME}`;

/** What the compiler of types has at the end of a message. */
const POSITION = /^(?<message>[^]*?)\s+at \S+?:(?<line>\d+):(?<column>\d+)$/;

/**
 * Makes a function of JavaScript or TypeScript, which is its body: text cannot close it, for it is
 * never pasted into anything. Types become spaces, so that lines and columns stay. A fence around
 * the code is taken off, and code that is one function and nothing else gets that called. Runs
 * none of it.
 */
export function compile(code: string): Compiled {
  const text = withoutWrapping(code);
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const stripped = strip(text, lines);
  if (typeof stripped !== "string") return stripped;
  try {
    return { run: functionOf(stripped), lines };
  } catch {
    return { problem: refusal(stripped, lines) };
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
    const place = { line: Number(line), column: Number(column) };
    return { problem: syntaxError(message, lines, place) };
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
function syntaxError(message: string, lines: readonly string[], place?: Place): string {
  const sentence = message.split("\n", 1)[0]
    ?.replace(/^SyntaxError: /, "")
    .replace(/, got '<lexing error: .*$|\.$/, "");
  if (place === undefined) return `SyntaxError: ${sentence}`;
  const { line, column } = place;
  const text = shownLine(lines[line - 1] ?? "");
  return `SyntaxError: ${sentence} (line ${line}, column ${column}: ${text})`;
}

function functionOf(body: string): () => Promise<unknown> {
  const run = new AsyncFunction(STRICT + body + END);
  const found = FUNCTION.exec(body);
  if (found === null) return run;
  const whole = body.replace(/;\s*$/, "");
  try {
    if (found.groups?.declared !== undefined) refuseMoreThanDeclared(whole);
    // Between `?` and `:` stands one expression, without commas.
    const make = new AsyncFunction(`"use strict"; return true ?\n${whole}\n: 0;${END}`);
    // Called from here, for a call in the text would be a frame of the code's own.
    return async () => await (await make() as () => unknown)();
  } catch {
    return run;
  }
}

/**
 * Throws where anything follows the function that the text declares: `(`, `[` and the like begin a
 * statement there, and would go on with an expression. A slash tells what it follows: it begins a
 * pattern after a declaration, and divides after an expression; a text that is both is the function.
 */
function refuseMoreThanDeclared(text: string): void {
  new AsyncFunction(`${STRICT}${text}\n/0/`);
  new AsyncFunction(`${STRICT}(${text}\n/0)`);
}

/** What the language itself has against code without types. */
function refusal(body: string, lines: readonly string[]): string {
  const error = refusalOf(body);
  if (!(error instanceof SyntaxError)) return "SyntaxError: the code is nested too deeply";
  const place = inside(lines, placeOf(error));
  const refused = place && lines[place.line - 1]?.[place.column - 1];
  const message = refused === "@"
    ? "decorators are not supported"
    : /\bimport\b/.test(error.message)
    ? "code cannot import: it has the language itself, and `tools`"
    : /\bexport\b/.test(error.message)
    ? "code cannot export: it is the body of a function, and what it prints is its result"
    : error.message;
  return syntaxError(message, lines, place);
}

/** The error that V8 refuses the body with, made so that its place can be asked for. */
function refusalOf(body: string): unknown {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new AsyncFunction(`"use strict"; //# sourceURL=${CODE_NAME}\n${body}`);
  } catch (error) {
    return error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A place of the function as one of the code, whose end is where the function's own end is met. */
function inside(lines: readonly string[], place: Place | undefined): Place | undefined {
  if (place === undefined) return undefined;
  const line = place.line - LINES_ABOVE;
  if (line <= lines.length) return { line, column: place.column };
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
