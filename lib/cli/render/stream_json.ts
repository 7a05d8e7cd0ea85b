import type { BubEvent, TurnResult } from "../../event.ts";
import type { Console } from "../console.ts";
import { jsonText, resultFields } from "./json.ts";
import { Progress, type Verbosity } from "./progress.ts";
import type { Renderer } from "./renderer.ts";

/** For programs that watch: every event is one line of JSON, and the result is the last one. */
export class StreamJsonRenderer implements Renderer {
  readonly write = undefined;
  readonly #console: Console;
  readonly #progress: Progress;

  constructor(console: Console, sessionId: string, verbosity: Verbosity) {
    this.#console = console;
    // The lines of standard error would say the same again: they come with -v only.
    this.#progress = new Progress(console.stderr, sessionId, verbosity > 0 ? verbosity : -1);
  }

  readonly onEvent = (event: BubEvent): void => {
    this.#progress.onEvent(event);
    if (event.type === "result") return;
    void this.#console.stdout.write(`${jsonText(event)}\n`);
  };

  async finish(result: TurnResult): Promise<void> {
    if (result.error !== null) await this.#console.complain(result.error.message);
    await this.#console.stdout.write(
      `${jsonText({ type: "result", ...resultFields(result) })}\n`,
    );
  }
}
