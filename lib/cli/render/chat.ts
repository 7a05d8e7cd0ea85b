import type { BubEvent, TurnResult } from "../../event.ts";
import type { ChatPort } from "../chat/port.ts";
import { complainOf } from "../console.ts";
import { Progress, type Verbosity } from "./progress.ts";
import type { Renderer } from "./renderer.ts";

/** For conversations: answers as they come, one line a tool call. */
export class ChatRenderer implements Renderer {
  readonly #port: ChatPort;
  readonly #sessionId: string;
  readonly #progress: Progress;
  /** Whose line has begun and not ended. */
  #midLine: "answer" | "command" | null = null;

  constructor(port: ChatPort, sessionId: string, verbosity: Verbosity) {
    this.#port = port;
    this.#sessionId = sessionId;
    this.#progress = new Progress(port.notes, sessionId, verbosity);
  }

  readonly onEvent = (event: BubEvent): void => {
    if (event.session_id !== this.#sessionId) return;
    if (event.type === "text") {
      void this.#say(event.text, "answer");
    } else {
      if (event.type !== "reasoning") this.#endLine();
      this.#progress.onEvent(event);
    }
  };

  readonly write = (piece: string): Promise<void> => this.#say(piece, "command");

  finish(result: TurnResult): Promise<void> {
    this.#endLine();
    if (result.error === null) return Promise.resolve();
    return complainOf(this.#port.notes, result.error);
  }

  async #say(text: string, speaker: "answer" | "command"): Promise<void> {
    if (text === "") return;
    if (this.#midLine !== speaker) this.#endLine();
    this.#midLine = text.endsWith("\n") ? null : speaker;
    const { answers } = this.#port;
    await answers.write(answers.safe(text));
  }

  #endLine(): void {
    if (this.#midLine !== null) void this.#port.answers.write("\n");
    this.#midLine = null;
  }
}
