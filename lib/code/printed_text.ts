import { sizeOf } from "./limit_errors.ts";

/** What code prints: its beginning is kept. */
export class PrintedText {
  readonly #limit: number;
  #kept = "";
  #units = 0;

  /** `limit`: bytes of UTF-8 that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** UTF-16 units of all that was added. */
  get units(): number {
    return this.#units;
  }

  add(text: string): void {
    this.#units += text.length;
    // A unit takes a byte or more, so that no more units than these can stay.
    if (this.#kept.length <= this.#limit) {
      this.#kept += text.slice(0, this.#limit + 1 - this.#kept.length);
    }
  }

  /** What is kept, no character split, with a line that says so where that is not all. */
  toString(): string {
    const bytes = new Uint8Array(this.#limit);
    const { read } = new TextEncoder().encodeInto(this.#kept, bytes);
    const text = this.#kept.slice(0, read).toWellFormed();
    if (read === this.#units) return text;
    const end = text.endsWith("\n") || text === "" ? "" : "\n";
    return `${text}${end}[cut: this is the first ${
      sizeOf(this.#limit)
    } of what the code printed]\n`;
  }
}
