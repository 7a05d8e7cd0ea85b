const OPEN = "<think>";
const CLOSE = "</think>";

/** A piece of an answer, told apart. */
export interface Said {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/**
 * Tells the reasoning from the answer where a local model writes `<think>…</think>` in front of
 * it. The tag counts only at the very start: anywhere else it is text that the model wrote.
 */
export class ThinkTag {
  #state: "start" | "inside" | "behind" | "answer" = "start";
  /** What may still turn out to be a tag. */
  #held = "";

  /** What is certain after the next piece of text. */
  push(text: string): readonly Said[] {
    this.#held += text;
    const said: Said[] = [];
    if (this.#state === "start") this.#open();
    if (this.#state === "inside") said.push(...this.#inside());
    if (this.#state === "behind") this.#skipBlank();
    if (this.#state === "answer") said.push(...this.#take("text", this.#held.length));
    return said;
  }

  /** What was held back when the answer ends. */
  end(): readonly Said[] {
    return this.#take(this.#state === "inside" ? "reasoning" : "text", this.#held.length);
  }

  #open(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(OPEN)) {
      this.#held = text.slice(OPEN.length);
      this.#state = "inside";
    } else if (!OPEN.startsWith(text)) {
      this.#state = "answer";
    }
  }

  #inside(): readonly Said[] {
    const close = this.#held.indexOf(CLOSE);
    if (close < 0) return this.#take("reasoning", this.#held.length - tagStart(this.#held));
    const said = this.#take("reasoning", close);
    this.#held = this.#held.slice(CLOSE.length);
    this.#state = "behind";
    return said;
  }

  /** The blank lines between the tag and the answer belong to neither. */
  #skipBlank(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#state = "answer";
  }

  #take(type: Said["type"], length: number): readonly Said[] {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === "" ? [] : [{ type, text }];
  }
}

/** How many characters at the end of `text` may be the start of the closing tag. */
function tagStart(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
