/** Stands where the middle was. */
const MARK = "\n[… the middle is left out …]\n";

/** Keeps the head and the tail of a text of any length in bounded memory. */
export class HeadTail {
  readonly #limit: number;
  /** The first `limit` UTF-16 units: everything, if the whole text has that many bytes at most. */
  #head = "";
  #tail = "";
  #units = 0;

  /** `limit`: the most bytes of UTF-8 that are kept, the mark in the middle included. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(piece: string): void {
    this.#units += piece.length;
    if (this.#head.length < this.#limit) {
      this.#head += piece.slice(0, this.#limit - this.#head.length);
    }
    if (piece.length >= this.#limit) this.#tail = piece.slice(-this.#limit);
    else this.#tail += piece;
    if (this.#tail.length > 8 * this.#limit) this.#tail = this.#tail.slice(-this.#limit);
  }

  /** The whole text where it fits, else its head and tail, no character split. */
  toString(): string {
    const fits = this.#units <= this.#limit && byteLength(this.#head) <= this.#limit;
    if (fits) return this.#head;
    const half = Math.floor((this.#limit - byteLength(MARK)) / 2);
    return firstBytes(this.#head, half) + MARK + lastBytes(this.#tail, half);
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function firstBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

function lastBytes(text: string, bytes: number): string {
  const encoded = new TextEncoder().encode(text.slice(-bytes));
  let start = Math.max(0, encoded.length - bytes);
  while (isContinuation(encoded[start])) start++;
  return new TextDecoder().decode(encoded.subarray(start));
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
