/** Strings, comments, punctuation, and words such as numbers; white space lies between them. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[{}[\]:,]|[^\s{}[\]:,"/]+|\//g;

/** Where a token starts, and what it is; comments are left out. */
function* tokens(source: string): Generator<readonly [token: string, index: number]> {
  for (const match of source.matchAll(TOKEN)) {
    if (!/^\/[/*]/.test(match[0])) yield [match[0], match.index];
  }
}

/** Whether a text holds nothing but white space and comments. */
export function isBlank(source: string): boolean {
  return tokens(source).next().done === true;
}

/** The line, from 1, of the character at `index`. */
export function lineAt(source: string, index: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < index; at = source.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/**
 * The line, from 1, on which the member of a JSON text lies that `path` (keys and list indices)
 * leads to. The text must have been parsed before: this only looks for places in it.
 */
export function lineOf(source: string, path: readonly string[]): number {
  const open: { readonly list: boolean; key: string | undefined }[] = [];
  for (const [token, index] of tokens(source)) {
    const innermost = open.at(-1);
    if (token === "}" || token === "]") {
      open.pop();
      continue;
    }
    if (token === ":") continue;
    if (token === ",") {
      if (innermost !== undefined) {
        innermost.key = innermost.list ? String(Number(innermost.key) + 1) : undefined;
      }
      continue;
    }
    const startsMember = innermost !== undefined && (innermost.list || innermost.key === undefined);
    if (innermost !== undefined && innermost.key === undefined) innermost.key = JSON.parse(token);
    if (startsMember && isPath(open, path)) return lineAt(source, index);
    if (token === "{") open.push({ list: false, key: undefined });
    if (token === "[") open.push({ list: true, key: "0" });
  }
  return 1;
}

function isPath(open: readonly { readonly key: string | undefined }[], path: readonly string[]) {
  return open.length === path.length && open.every(({ key }, depth) => key === path[depth]);
}
