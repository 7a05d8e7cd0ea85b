/** What a provider accepts as the id of a call. */
export interface CallIdForm {
  /** Exactly so many letters and digits; undefined: up to 64 letters, digits, `_` and `-`. */
  readonly length?: number | undefined;
}

/**
 * The ids under which the calls of one request go out: unique (some models give every turn's first
 * call the id `call_0`), in the provider's alphabet, and the same every time the same messages go
 * out. An id that is fine already stays as it is.
 */
export class CallIds {
  readonly #form: CallIdForm;
  readonly #used = new Set<string>();
  /** Wire ids of the latest calls with this id that no result has taken yet. */
  #open = new Map<string, string[]>();

  constructor(form: CallIdForm) {
    this.#form = form;
  }

  /** A new assistant message: results that follow belong to its calls. */
  startMessage(): void {
    this.#open = new Map();
  }

  /** The wire id of the next call. */
  call(id: string): string {
    const wireId = this.#unique(id);
    this.#used.add(wireId);
    this.#open.set(id, [...this.#open.get(id) ?? [], wireId]);
    return wireId;
  }

  /** The wire id of the call that this result answers; results come in the order of the calls. */
  result(id: string): string {
    return this.#open.get(id)?.shift() ?? this.#unique(id);
  }

  #unique(id: string): string {
    const { length } = this.#form;
    const base = length === undefined ? id.replaceAll(/[^\w-]/g, "_").slice(0, 56) : id;
    for (let n = 0;; n++) {
      const candidate = length === undefined
        ? (n === 0 && base !== "" ? base : `${base || "call"}_${n}`)
        : fixed(base, length, n);
      if (!this.#used.has(candidate)) return candidate;
    }
  }
}

/** An id of exactly `length` letters and digits: the text itself if it is one, else its hash. */
function fixed(text: string, length: number, n: number): string {
  if (n === 0 && text.length === length && /^[A-Za-z0-9]+$/.test(text)) return text;
  let hash = 0xcbf29ce484222325n;
  for (const character of `${n}:${text}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(length, "0").slice(-length);
}
