import { BubError } from "../errors.ts";
import { DateRange } from "./date_range.ts";
import type { TapeEntry } from "./entry.ts";
import { excerpt } from "./excerpt.ts";
import { fold, holds, locate, type Span } from "./fold.ts";
import { FuzzyMatcher } from "./fuzzy.ts";
import { LineSieve } from "./line_sieve.ts";
import { withoutSearches } from "./own_search.ts";
import { isOnlySigns, saidText } from "./signs.ts";
import type { TapeMatch, TapeMatches, TapeQuery, TapeStore } from "./store.ts";

/** How much is compared fuzzily: the newest entries, up to so many and so many units times cost. */
const MAX_FUZZY_ENTRIES = 4000;
const MAX_FUZZY_WORK = 6_000_000;
/** Longer ones are not compared at all, so that one does not take the room of a thousand. */
const MAX_ENTRY_UNITS = 100_000;

/** Searches a tape of any store. Throws `invalid_input` for a query that is none. */
export async function searchTape(
  store: TapeStore,
  tape: string,
  query: TapeQuery,
): Promise<TapeMatches> {
  if (store.search !== undefined) return await store.search(tape, query);
  return await new TapeSearch(query).run({ entries: store.read(tape, "newest") });
}

/** What is searched: a tape, or an archive of it. */
export interface SearchSource {
  /** Newest first; those the sieve stops may be missing. */
  readonly entries: AsyncIterable<TapeEntry>;
  /** The name of the archive; absent: the tape. */
  readonly archive?: string;
}

/** An entry and the archive it comes from. */
interface Found {
  readonly entry: TapeEntry;
  readonly archive: string | undefined;
}

/** An entry that does not hold the query but may nearly do so. */
interface Candidate extends Found {
  /** Its kind and the JSON text of its payload, folded. */
  readonly text: string;
}

/**
 * One search (TP7): containment from the newest entry back, duplicates dropped, and where that gives
 * fewer matches than wanted, fuzzy ones behind them. What is looked into is the JSON text of kind,
 * date, payload and meta; for a query without letters and digits, such as `[`, the names, texts and
 * numbers of the payload alone, and nothing fuzzily.
 */
export class TapeSearch {
  /** For stores that can pass over lines: lets through what can be a match. */
  readonly sieve: LineSieve;
  readonly #limit: number;
  readonly #kinds: ReadonlySet<string>;
  readonly #dates: DateRange;
  /** The query folded, as it is and as it stands inside JSON texts. */
  readonly #needles: readonly string[];
  readonly #onlySigns: boolean;
  readonly #fuzzy: FuzzyMatcher;
  readonly #found: Found[] = [];
  readonly #seen = new Set<string>();
  readonly #candidates = new Map<string, Candidate>();
  #candidateUnits = 0;
  #filtered = 0;
  #archive: string | undefined;

  constructor({ query, limit, start, end, kinds }: TapeQuery) {
    if (query.trim() === "") {
      throw new BubError("invalid_input", "query is empty; give the text to look for");
    }
    this.#limit = limit;
    if (kinds.length === 0) {
      throw new BubError("invalid_input", "kinds is empty; name the kinds of entries to look at");
    }
    this.#kinds = new Set(kinds);
    this.#dates = new DateRange(start, end);
    this.#onlySigns = isOnlySigns(query);
    const literal = fold(query);
    this.#needles = this.#onlySigns
      ? [literal]
      : [...new Set([literal, fold(JSON.stringify(query).slice(1, -1))])];
    this.#fuzzy = new FuzzyMatcher(query);
    this.sieve = new LineSieve([...this.#needles, ...this.#pieces]);
  }

  /** @param sources The newest first; the next one is touched when the one before is through. */
  async run(...sources: readonly SearchSource[]): Promise<TapeMatches> {
    for (const source of sources) if (!this.#isFull) await this.#read(source);
    return { matches: await this.#matches(), filtered: this.#filtered };
  }

  async #read({ entries, archive }: SearchSource): Promise<void> {
    this.#archive = archive;
    let results: TapeEntry | null = null;
    for await (const entry of entries) {
      // Results are looked at with the entry before them, which has their calls.
      if (results !== null) this.#look(results, entry);
      results = entry.kind === "tool_result" ? entry : null;
      if (results === null) this.#look(entry, null);
      if (this.#isFull) break;
    }
    if (results !== null) this.#look(results, null);
  }

  get #isFull(): boolean {
    return this.#found.length >= this.#limit;
  }

  #look(entry: TapeEntry, before: TapeEntry | null): void {
    if (this.#isFull || !this.#kinds.has(entry.kind) || !this.#dates.covers(entry.date)) return;
    const own = withoutSearches(entry, before);
    if (own !== null && this.#isIn(own)) {
      if (this.#isNew(own)) this.#found.push({ entry: own, archive: this.#archive });
    } else if (own !== entry && this.#isIn(entry)) {
      this.#filtered++;
    } else if (own !== null) {
      this.#offer(own);
    }
  }

  #isIn({ kind, date, payload, meta }: TapeEntry): boolean {
    const text = fold(
      this.#onlySigns ? saidText(payload) : JSON.stringify([kind, date, payload, meta]),
    );
    return this.#needles.some((needle) => holds(text, needle));
  }

  /** False for what has been found before. */
  #isNew(entry: TapeEntry): boolean {
    const { size } = this.#seen;
    return this.#seen.add(contentKey(entry)).size > size;
  }

  /** Keeps an entry for the fuzzy search, as long as there is room. */
  #offer(entry: TapeEntry): void {
    if (this.#onlySigns || this.#isPoolFull) return;
    const key = contentKey(entry);
    if (key.length > MAX_ENTRY_UNITS || this.#candidates.has(key)) return;
    const text = fold(key);
    if (!this.#pieces.some((piece) => text.includes(piece))) return;
    this.#candidates.set(key, { entry, archive: this.#archive, text });
    this.#candidateUnits += text.length;
    if (this.#isPoolFull) this.sieve.narrow(this.#needles);
  }

  /** One of these is in every fuzzy match; without any there is none. */
  get #pieces(): readonly string[] {
    return this.#onlySigns ? [] : this.#fuzzy.pieces;
  }

  get #isPoolFull(): boolean {
    return this.#candidates.size >= MAX_FUZZY_ENTRIES ||
      this.#candidateUnits * this.#fuzzy.cost >= MAX_FUZZY_WORK;
  }

  async #matches(): Promise<readonly TapeMatch[]> {
    const matches = this.#found.map((found) => match(found, (text) => this.#locate(text)));
    const candidates = [...this.#candidates.values()];
    const texts = candidates.map(({ text }) => text);
    if (this.#isFull) return matches;
    for await (const index of this.#fuzzy.matches(texts)) {
      const candidate = candidates[index];
      if (candidate === undefined || !this.#isNew(candidate.entry)) continue;
      matches.push(await this.#fuzzyMatch(candidate));
      if (matches.length >= this.#limit) break;
    }
    return matches;
  }

  /** Shows the payload around the words that were taken for the query. */
  async #fuzzyMatch(candidate: Candidate): Promise<TapeMatch> {
    const { text } = candidate;
    const span = await this.#fuzzy.locate(text);
    const words = span === null ? "" : text.slice(span.start, span.end);
    return match(candidate, (shown) => words === "" ? null : locate(shown, words));
  }

  #locate(text: string): Span | null {
    for (const needle of this.#needles) {
      const span = locate(text, needle);
      if (span !== null) return span;
    }
    return null;
  }
}

/** What entries are compared by: two with the same are duplicates. */
function contentKey({ kind, payload }: TapeEntry): string {
  return `${kind} ${JSON.stringify(payload)}`;
}

function match(
  { entry: { id, kind, date, payload }, archive }: Found,
  locate: (text: string) => Span | null,
): TapeMatch {
  const found = { id, kind, date, payload: excerpt(payload, locate) };
  return archive === undefined ? found : { ...found, archive };
}
