/**
 * What this program uses of `@std/jsonc`: `deno task` puts it in that module's place where JSR
 * cannot be reached. `tests/std_contract_test.ts` pins what both do.
 *
 * No npm package is behind it. Those that say where a mistake is are CommonJS, which costs 20 ms of
 * start-up for Deno's Node layer and treats a `__proto__` key as the prototype; those that do not
 * also take `[,]`.
 */

/** A value that JSON can carry. */
export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** The value of a text in JSON with comments and trailing commas; throws a `SyntaxError`. */
export function parse(text: string): JsonValue {
  const tokens = new Tokens(text);
  const value = parseValue(tokens, tokens.next());
  const rest = tokens.nextOrEnd();
  if (rest !== undefined) throw unexpected(rest);
  return value;
}

interface Token {
  readonly text: string;
  /** UTF-16 units before it. */
  readonly position: number;
}

/** Space and comments; the last form is a comment that never ends. */
const SKIPPED = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\/)*(\/\*)?/y;

/** A bracket or mark, a string (closed or not), or anything up to what may end a word. */
const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[^{}[\],:/ \t\r\n]+|\//y;

class Tokens {
  #at = 0;

  constructor(readonly text: string) {}

  next(): Token {
    const token = this.nextOrEnd();
    if (token === undefined) throw ended();
    return token;
  }

  nextOrEnd(): Token | undefined {
    const skipped = this.#match(SKIPPED);
    if (skipped?.[1] !== undefined) throw ended();
    const position = this.#at;
    const text = this.#match(TOKEN)?.[0];
    return text === undefined ? undefined : { text, position };
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function parseValue(tokens: Tokens, token: Token): JsonValue {
  if (token.text === "{") return parseObject(tokens);
  if (token.text === "[") return parseArray(tokens);
  return parseScalar(token);
}

function parseObject(tokens: Tokens): JsonValue {
  const members: [string, JsonValue][] = [];
  for (let token = tokens.next(); token.text !== "}"; token = tokens.next()) {
    if (members.length > 0) token = afterComma(tokens, token);
    if (token.text === "}") break;
    if (!token.text.startsWith('"')) throw unexpected(token);
    const key = String(parseScalar(token));
    const colon = tokens.next();
    if (colon.text !== ":") throw unexpected(colon);
    members.push([key, parseValue(tokens, tokens.next())]);
  }
  return Object.fromEntries(members);
}

function parseArray(tokens: Tokens): JsonValue {
  const items: JsonValue[] = [];
  for (let token = tokens.next(); token.text !== "]"; token = tokens.next()) {
    if (items.length > 0) token = afterComma(tokens, token);
    if (token.text === "]") break;
    items.push(parseValue(tokens, token));
  }
  return items;
}

function afterComma(tokens: Tokens, token: Token): Token {
  if (token.text !== ",") throw unexpected(token);
  return tokens.next();
}

function parseScalar(token: Token): JsonValue {
  try {
    return JSON.parse(token.text);
  } catch {
    throw unexpected(token);
  }
}

function unexpected({ text, position }: Token): SyntaxError {
  const shown = text.length > 30 ? `${text.slice(0, 30)}...` : text;
  return new SyntaxError(
    `Cannot parse JSONC: unexpected token "${shown}" in JSONC at position ${position}`,
  );
}

function ended(): SyntaxError {
  return new SyntaxError("Cannot parse JSONC: unexpected end of JSONC input");
}
