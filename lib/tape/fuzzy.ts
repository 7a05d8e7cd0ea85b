import { fold, type Span } from "./fold.ts";

/** Part of a text that may differ from the query. */
const THRESHOLD = 0.3;
/** Characters at which fuse.js cuts a query into pieces that it looks for one by one. */
const FUSE_LENGTH = 32;
/** Of a longer query only so many units are looked for. */
const MAX_LENGTH = 128;
/** Queries of fewer characters are found as they are or not at all. */
const MIN_CHARACTERS = 3;
/** Texts that one index is made of: who needs few matches does not pay for all. */
const AT_ONCE = 250;

/** Finds folded texts that nearly hold a query. */
export class FuzzyMatcher {
  readonly #query: string;
  /** Every text that matches holds one of these; without any nothing matches. */
  readonly pieces: readonly string[];
  /** What comparing costs, relative to a text's length: fuse.js goes over it once a typing error. */
  readonly cost: number;

  constructor(query: string) {
    const isShort = Array.from(query.slice(0, 2 * MIN_CHARACTERS)).length < MIN_CHARACTERS;
    this.#query = fold(query).slice(0, MAX_LENGTH).toWellFormed().replace(/\uFFFD$/, "");
    const chunks = isShort ? [] : fuseChunks(this.#query);
    this.pieces = [...new Set(chunks.flatMap(uneditedPieces))];
    this.cost = chunks.reduce((sum, chunk) => sum + mostEdits(chunk) + 1, 0);
  }

  /** The positions of the matching texts, in order, at most `limit`. */
  async *matches(texts: readonly string[]): AsyncGenerator<number, void, void> {
    if (texts.length === 0) return;
    const { default: Fuse } = await import("fuse.js");
    for (let from = 0; from < texts.length; from += AT_ONCE) {
      const fuse = new Fuse(texts.slice(from, from + AT_ONCE), { ...OPTIONS, includeScore: true });
      for (const { refIndex, score = 1 } of fuse.search(this.#query)) {
        // A query of several pieces matches for fuse.js as soon as one of them does.
        if (score <= THRESHOLD) yield from + refIndex;
      }
    }
  }

  /** Where in a matching text the match is. */
  async locate(text: string): Promise<Span | null> {
    const { default: Fuse } = await import("fuse.js");
    const fuse = new Fuse([text], { ...OPTIONS, includeMatches: true });
    const spans = fuse.search(this.#query)[0]?.matches?.[0]?.indices ?? [];
    const [longest] = spans.toSorted((a, b) => (b[1] - b[0]) - (a[1] - a[0]));
    return longest === undefined ? null : { start: longest[0], end: longest[1] + 1 };
  }
}

const OPTIONS = {
  threshold: THRESHOLD,
  ignoreLocation: true,
  ignoreFieldNorm: true,
  isCaseSensitive: true,
  shouldSort: false,
};

/**
 * Pieces of which at least one stands unedited in every match: `k` edits leave one of `k + 1`
 * pieces whole.
 */
function uneditedPieces(chunk: string): string[] {
  const count = mostEdits(chunk) + 1;
  const at = (n: number) => Math.floor(n * chunk.length / count);
  return Array.from({ length: count }, (_, n) => chunk.slice(at(n), at(n + 1)));
}

function mostEdits(chunk: string): number {
  return Math.floor(THRESHOLD * chunk.length);
}

/** What fuse.js looks for: chunks of 32 characters, the last one counted from the end. */
function fuseChunks(query: string): string[] {
  if (query.length <= FUSE_LENGTH) return [query];
  const chunks: string[] = [];
  const rest = query.length % FUSE_LENGTH;
  for (let at = 0; at < query.length - rest; at += FUSE_LENGTH) {
    chunks.push(query.slice(at, at + FUSE_LENGTH));
  }
  return rest === 0 ? chunks : [...chunks, query.slice(-FUSE_LENGTH)];
}
