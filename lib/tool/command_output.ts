import { HeadTail } from "./head_tail.ts";
import type { Media } from "./output.ts";
import { printedValue, type ToolResult } from "./result.ts";

/** What one command prints: handed on or collected, and kept in part for the tape. */
export class CommandOutput {
  readonly #write: ((piece: string) => Promise<void>) | undefined;
  readonly #kept: HeadTail;
  #collected = "";

  /** `keptBytes`: how much of the output `recorded` holds at most. */
  constructor(keptBytes: number, write: ((piece: string) => Promise<void>) | undefined) {
    this.#kept = new HeadTail(keptBytes);
    this.#write = write;
  }

  /** All that was printed; empty where it was handed on. */
  get collected(): string {
    return this.#collected;
  }

  /** Head and tail of what was printed and noted. */
  get recorded(): string {
    return this.#kept.toString();
  }

  /**
   * Prints a result: text as it is, a value as indented JSON, media as one line each; JSON and
   * the lines end with a newline. An abort stops a long one.
   */
  async print(result: ToolResult, signal: AbortSignal): Promise<void> {
    if (result.output !== undefined) {
      for await (const piece of result.output.chunks()) {
        signal.throwIfAborted();
        await this.#print(piece);
      }
      return;
    }
    const text = printedValue(result.value);
    const isTextAsItIs = typeof result.value === "string" && result.media.length === 0;
    await this.#print(isTextAsItIs || text.endsWith("\n") ? text : `${text}\n`);
    await this.printMedia(result.media.filter(({ label }) => !text.includes(label)));
  }

  /** Prints one line for each medium. */
  async printMedia(media: readonly Media[]): Promise<void> {
    await this.#print(media.map(({ label }) => `${label}\n`).join(""));
  }

  /** Keeps text for the tape that is printed elsewhere: an error. */
  note(text: string): void {
    this.#kept.push(text);
  }

  async #print(piece: string): Promise<void> {
    this.#kept.push(piece);
    if (this.#write === undefined) this.#collected += piece;
    else if (piece !== "") await this.#write(piece);
  }
}
