/** A place in a text: UTF-16 units, `end` not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A character with the marks that belong to it (accents, and the vowels and finals of decomposed
 * Hangul). What `fold` makes of a text is what it makes of these, one after the other.
 */
const CHARACTER = /[\s\S][\p{M}\u1160-\u11ff]*/gu;
/** A thousand of them at once. */
const STRETCH = /[\s\S]{1,1024}[\p{M}\u1160-\u11ff]*/gu;

/** Letters that are written as several, or in two ways. */
const SPELLED = /[ßſςﬀ-ﬆ]/g;

/** From this length on native search could take the product of both lengths, so ours is used. */
const LONG_NEEDLE = 256;

/**
 * The form in which texts are compared: without case, accents composed, ligatures and ß spelled
 * out. For comparing only: it may be longer or shorter than the text; `locate` finds places.
 */
export function fold(text: string, ascii: boolean = isAscii(text)): string {
  if (ascii) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().replace(SPELLED, spell);
}

function spell(letter: string): string {
  if (letter === "ß") return "ss";
  return letter === "ς" ? "σ" : letter.normalize("NFKC");
}

/** Whether the folded text `needle` is in `folded`, in a time that grows with the sum of both. */
export function holds(folded: string, needle: string): boolean {
  return needle.length < LONG_NEEDLE ? folded.includes(needle) : indexOfLong(folded, needle) >= 0;
}

/** Where in `text` the folded text `needle` first stands, whole characters of it; null: nowhere. */
export function locate(text: string, needle: string): Span | null {
  const folded = fold(text);
  const at = needle.length < LONG_NEEDLE ? folded.indexOf(needle) : indexOfLong(folded, needle);
  return at < 0 ? null : originalSpan(text, { start: at, end: at + needle.length });
}

/** The characters of `text` that became the given part of `fold(text)`. */
function originalSpan(text: string, { start, end }: Span): Span {
  if (isAscii(text)) return { start, end };
  return { start: characterAt(text, start).start, end: characterAt(text, end - 1).end };
}

/** The character that unit number `index` of `fold(text)` comes from. */
function characterAt(text: string, index: number): Span {
  const stretch = partAt(text, index, STRETCH);
  const part = text.slice(stretch.start, stretch.end);
  const { start, end } = partAt(part, index - stretch.before, CHARACTER);
  return { start: stretch.start + start, end: stretch.start + end };
}

/** The part of `text` that unit number `index` of its folded form is in; `before` it are so many. */
function partAt(text: string, index: number, parts: RegExp): Span & { readonly before: number } {
  let before = 0;
  for (const { 0: part, index: start } of text.matchAll(parts)) {
    const { length } = fold(part);
    if (index < before + length) return { start, end: start + part.length, before };
    before += length;
  }
  return { start: text.length, end: text.length, before };
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}

/** `indexOf` by Knuth, Morris and Pratt: never looks at a unit of the text twice. */
function indexOfLong(text: string, needle: string): number {
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== needle.charCodeAt(matched)) {
      matched = borders[matched - 1] ?? 0;
    }
    if (text.charCodeAt(at) === needle.charCodeAt(matched)) matched++;
    if (matched === needle.length) return at - matched + 1;
  }
  return -1;
}

/** For each prefix of `needle` the length of the longest proper prefix that also ends it. */
function bordersOf(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length);
  let border = 0;
  for (let at = 1; at < needle.length; at++) {
    while (border > 0 && needle.charCodeAt(at) !== needle.charCodeAt(border)) {
      border = borders[border - 1] ?? 0;
    }
    if (needle.charCodeAt(at) === needle.charCodeAt(border)) border++;
    borders[at] = border;
  }
  return borders;
}
