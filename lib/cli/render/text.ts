import type { BubEvent, TurnResult } from "../../event.ts";
import { complainOf, type Console } from "../console.ts";
import { Progress, usageSummary, type Verbosity } from "./progress.ts";
import type { Renderer } from "./renderer.ts";

/**
 * For people and pipes: standard output gets the answer and nothing else, and gets it only when
 * the turn went well; what leads there is on standard error.
 */
export class TextRenderer implements Renderer {
  readonly #console: Console;
  readonly #sessionId: string;
  readonly #verbosity: Verbosity;
  readonly #progress: Progress;
  /** What the model has said in the step under way. */
  #said = "";
  #endsLine = true;

  constructor(console: Console, sessionId: string, verbosity: Verbosity) {
    this.#console = console;
    this.#sessionId = sessionId;
    this.#verbosity = verbosity;
    this.#progress = new Progress(console.stderr, sessionId, verbosity);
  }

  readonly onEvent = (event: BubEvent): void => {
    if (event.session_id === this.#sessionId) this.#collect(event);
    this.#progress.onEvent(event);
  };

  /** The output of a text command, as it is. */
  readonly write = async (piece: string): Promise<void> => {
    if (piece === "") return;
    this.#endsLine = piece.endsWith("\n");
    const { stdout } = this.#console;
    await stdout.write(stdout.safe(piece));
  };

  async finish(result: TurnResult): Promise<void> {
    const { stdout, stderr } = this.#console;
    if (!this.#endsLine && stdout.isTerminal) await stdout.write("\n");
    if (result.error !== null) await complainOf(stderr, result.error);
    // Where both are one terminal, the answer comes below what led to it.
    await stderr.flush();
    if (result.status === "ok") await this.#answer(result);
    else if (this.#verbosity >= 1) this.#note(result.output);
    const { steps, usage } = result;
    if (this.#verbosity >= 1 && steps > 0) {
      this.#note(`${steps} step${steps === 1 ? "" : "s"}, ${usageSummary(usage)}`);
    }
  }

  async #answer({ output, steps }: TurnResult): Promise<void> {
    const { stdout } = this.#console;
    // A text command has no steps: its output stays as it is.
    const end = steps === 0 || output.endsWith("\n") ? "" : "\n";
    await stdout.write(`${stdout.safe(output)}${end}`);
  }

  /** Words between tool calls are not the answer: they go where the calls go. */
  #collect(event: BubEvent): void {
    if (event.type === "step.start" || event.type === "retry") this.#said = "";
    if (event.type === "text") this.#said += event.text;
    if (event.type === "tool.start" && this.#said !== "") {
      if (this.#verbosity >= 0) this.#note(this.#said);
      this.#said = "";
    }
  }

  #note(text: string): void {
    const { stderr } = this.#console;
    const trimmed = text.trim();
    if (trimmed !== "") void stderr.write(`${stderr.paint("dim", stderr.safe(trimmed))}\n`);
  }
}
