/** Puts lines of UTF-8 together from chunks, in bounded memory and in one pass. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxUnits: number;
  #parts: string[] = [];
  #units = 0;

  /** `maxUnits`: UTF-16 units that a line may have. */
  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  /** Tells the lines that `chunk` completes; false once one is longer than it may be. */
  push(chunk: Uint8Array, tell: (line: string) => void): boolean {
    const text = this.#decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      if (!this.#add(text.slice(start, end))) return false;
      const line = this.#parts.join("");
      this.#parts = [];
      this.#units = 0;
      start = end + 1;
      tell(line);
    }
    return this.#add(text.slice(start));
  }

  #add(part: string): boolean {
    this.#units += part.length;
    if (part !== "") this.#parts.push(part);
    return this.#units <= this.#maxUnits;
  }
}
