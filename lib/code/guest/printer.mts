import { part, quoted } from "./primordials.mts";
import { render } from "./render.mts";

/** UTF-16 units of printed text in one message. */
const PIECE_UNITS = 64 * 1024;

/** What `print` and the functions of `console` do. */
export class Printer {
  readonly #post: (line: string) => void;

  constructor(post: (line: string) => void) {
    this.#post = post;
  }

  /** Prints values with spaces between them and a newline after the last. */
  readonly print = (...values: readonly unknown[]): void => {
    let text = "";
    for (let n = 0; n < values.length; n++) text += (n > 0 ? " " : "") + render(values[n]);
    text += "\n";
    for (let start = 0; start < text.length; start += PIECE_UNITS) {
      this.#post(`["print",${quoted(part(text, start, start + PIECE_UNITS))}]`);
    }
  };
}
