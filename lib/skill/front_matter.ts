/** The two parts of a `SKILL.md`. */
export interface FrontMatter {
  /** YAML, without the lines that enclose it. */
  readonly header: string;
  readonly body: string;
}

/** The first line. */
const OPENING = /^---[ \t]*(?:\r?\n|$)/;
/** The line that ends the header; YAML has two of them. */
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;

/**
 * Divides the text of a `SKILL.md`: byte-order mark, either line ending, blanks behind the marks and
 * a missing last newline all pass; further lines of `---` belong to the body. The answer is a reason
 * where there is no header.
 */
export function splitFrontMatter(text: string): FrontMatter | string {
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "") return "it is empty";
  const opening = OPENING.exec(plain)?.[0];
  if (opening === undefined) return "it has no front matter: its first line must be ---";
  const rest = plain.slice(opening.length);
  for (const { 0: line, index } of rest.matchAll(CLOSING)) {
    return { header: rest.slice(0, index), body: rest.slice(index + line.length) };
  }
  return "its front matter has no end: a line --- must close it";
}
