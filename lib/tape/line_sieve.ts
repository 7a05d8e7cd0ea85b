import { fold } from "./fold.ts";

/** Units of a text that are looked for; the rest is left to those who read the line. */
const MAX_LENGTH = 64;

/** What JSON may write in several ways: quotes, blanks around its own signs, escapes. */
const VARIABLE = /["\\:,{}[\]\p{Cc}\u2028\u2029\ud800-\udfff]+/u;
const SIGNS = /[.*+?^${}()|[\]\\/]/g;

/** `\u00e9` and the like as other programs write them; control characters are always so written. */
const ESCAPED = String.raw`\\u(?!00[01])`;

/**
 * Tells, without parsing, which lines of a tape file may hold one of some texts: for reading from
 * the newest entry on, as `readEntries` does with it. Misses none, and lets some others through.
 */
export class LineSieve {
  #pattern: RegExp | null;
  #lines: ReadonlySet<number> | null = null;
  #isAfterResults = false;

  /** @param texts Folded. */
  constructor(texts: readonly string[]) {
    this.#pattern = patternOf(texts);
  }

  /** Looks for other texts from the next block on. */
  narrow(texts: readonly string[]): void {
    this.#pattern = patternOf(texts);
  }

  /** Takes the next block of whole lines. */
  block(text: string, ascii: boolean): void {
    this.#lines = this.#pattern === null ? null : linesWith(this.#pattern, fold(text, ascii));
  }

  /**
   * Whether line number `index` of the block is to be read. To be asked for every line, the last
   * one first. The line before results is always read, since it has the names of their calls.
   */
  wants(index: number, line: string): boolean {
    const wanted = this.#isAfterResults || (this.#lines?.has(index) ?? true);
    this.#isAfterResults = wanted && /^.{0,40}"kind": ?"tool_result"/.test(line);
    return wanted;
  }
}

/** Entries of early Python versions, whose dates are written as numbers. */
const NUMBER_AS_DATE = String.raw`"timestamp": ?\d`;

/** Null: every line may hold one of them. */
function patternOf(texts: readonly string[]): RegExp | null {
  const parts = texts.map(constantPart);
  if (parts.includes("")) return null;
  const patterns = parts.map((part) => part.replace(SIGNS, "\\$&"));
  if (parts.some((part) => /\P{ASCII}/u.test(part))) patterns.push(ESCAPED);
  if (parts.some((part) => /^[\d.+t-]+$/.test(part))) patterns.push(NUMBER_AS_DATE);
  return new RegExp(patterns.join("|"), "g");
}

/** The longest part of a text that JSON writes in one way only. */
function constantPart(text: string): string {
  const parts = text.split(VARIABLE).toSorted((a, b) => b.length - a.length);
  return (parts[0] ?? "").slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, "");
}

function linesWith(pattern: RegExp, text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  let line = 0;
  let lineEnd = text.indexOf("\n");
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    while (lineEnd >= 0 && lineEnd < hit.index) {
      line++;
      lineEnd = text.indexOf("\n", lineEnd + 1);
    }
    lines.add(line);
    if (lineEnd < 0) break;
    pattern.lastIndex = lineEnd + 1;
  }
  return lines;
}
