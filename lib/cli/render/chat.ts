import { alarm } from "../../alarm.ts";
import type { BubEvent, TurnResult } from "../../event.ts";
import type { ChatPort } from "../chat/port.ts";
import { complainOf } from "../console.ts";
import { indentation, Progress, type Verbosity } from "./progress.ts";
import type { Renderer } from "./renderer.ts";
import { argumentSummary } from "./summary.ts";

/** How long a call runs before it is announced, in milliseconds. */
const SLOW_CALL_MS = 1_000;

type ToolStart = Extract<BubEvent, { type: "tool.start" }>;

/** For conversations: answers as they come, one line a tool call. */
export class ChatRenderer implements Renderer {
  readonly #port: ChatPort;
  readonly #sessionId: string;
  readonly #progress: Progress;
  readonly #verbosity: Verbosity;
  /** What announces the calls under way. */
  readonly #running = new Map<string, Disposable>();
  /** Whose line has begun and not ended. */
  #midLine: "answer" | "command" | null = null;

  constructor(port: ChatPort, sessionId: string, verbosity: Verbosity) {
    this.#port = port;
    this.#sessionId = sessionId;
    this.#verbosity = verbosity;
    this.#progress = new Progress(port.notes, sessionId, verbosity);
  }

  readonly onEvent = (event: BubEvent): void => {
    if (event.session_id !== this.#sessionId) return;
    if (event.type === "tool.start") this.#announce(event);
    if (event.type === "tool.end") this.#endCall(event.call_id);
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

  /** A call has its line when it ends; one that takes long has one before, to say what runs. */
  #announce(event: ToolStart): void {
    if (this.#verbosity !== 0) return;
    const { call_id, name, arguments: args } = event;
    const late = alarm(SLOW_CALL_MS, () => {
      this.#endLine();
      const { notes } = this.#port;
      const line = notes.safe(`${indentation(event)}${name} ${argumentSummary(args)} …`);
      void notes.write(`${notes.paint("dim", line)}\n`);
    });
    this.#running.set(call_id, late);
  }

  #endCall(callId: string): void {
    this.#running.get(callId)?.[Symbol.dispose]();
    this.#running.delete(callId);
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
