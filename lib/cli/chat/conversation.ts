import { BubError } from "../../errors.ts";
import type { TurnResult } from "../../event.ts";
import type { Session, TurnOptions } from "../../kernel/agent.ts";
import { parseInbound } from "../../tool/command_line.ts";
import { complain } from "../console.ts";
import { within } from "../deadline.ts";
import { exitCode } from "../exit_code.ts";
import type { Renderer } from "../render/renderer.ts";
import { type ChatInput, Queue } from "./input.ts";
import type { ChatPort } from "./port.ts";

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** How long leaving waits for the turn under way, in milliseconds. */
const LEAVE_MS = 2_000;

export interface ConversationOptions {
  readonly session: Session;
  readonly port: ChatPort;
  readonly renderer: Renderer;
  readonly commandPrefix: string;
  readonly turn: Omit<TurnOptions, "signal" | "write">;
}

type ChatEvent = ChatInput | { readonly type: "turn-end"; readonly result: TurnResult };

/** The turn under way. */
interface RunningTurn {
  readonly abort: AbortController;
  readonly done: Promise<void>;
  readonly isCommand: boolean;
}

/**
 * Messages in, turns out, one after the other. What comes while a turn runs steers it; what no step
 * has read by its end is the next message.
 */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #events = new Queue<ChatEvent>();
  #turn: RunningTurn | null = null;
  /** Text commands that wait for the end of what runs: a script's lines come one after the other. */
  readonly #waiting: string[] = [];
  /** Text commands beside the turn. */
  readonly #commands = new Set<Promise<void>>();
  /** Input has ended: leave when there is nothing left to answer. */
  #ending = false;
  /** The session is quit: leave when that is done. */
  #quit = false;
  /** Ctrl-C came while nothing ran: the next one leaves. */
  #warned = false;
  #lastCode = 0;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Takes input, at any time, in order. */
  readonly push = (input: ChatInput): void => this.#events.push(input);

  /** Resolves with the exit code when the conversation is over. */
  async run(): Promise<number> {
    this.#idle();
    for await (const event of this.#events) {
      const code = await this.#handle(event);
      if (code === null) continue;
      await this.#stop();
      return code;
    }
    return this.#lastCode;
  }

  /** The exit code once it is time to leave; null: go on. */
  async #handle(event: ChatEvent): Promise<number | null> {
    if (event.type !== "interrupt") this.#warned = false;
    switch (event.type) {
      case "line":
        return this.#line(event.text);
      case "end":
        this.#ending = true;
        return this.#turn === null ? this.#goodbye() : null;
      case "quit":
        this.#quit = true;
        return this.#turn === null ? this.#goodbye() : null;
      case "interrupt":
        return this.#interrupt();
      case "terminate":
        return event.exitCode;
      case "turn-end":
        return await this.#turnEnd(event.result);
    }
  }

  #line(line: string): number | null {
    const { session, port } = this.#options;
    if (this.#ending) return null;
    const quits = this.#isQuit(line);
    const text = quits ? line.trim() : line;
    // A script's lines before it are answered first, and those behind it are not for us.
    if (quits && !port.isInteractive) this.#ending = true;
    if (text.trim() === "") {
      if (this.#turn === null) this.#idle();
    } else if (this.#turn === null) {
      this.#start(text);
    } else if (!this.#isCommand(text)) {
      session.steer(text);
    } else if (port.isInteractive && (quits || !this.#turn.isCommand)) {
      this.#command(text, this.#turn.abort.signal);
    } else {
      this.#waiting.push(text);
    }
    return null;
  }

  #interrupt(): number | null {
    const { port } = this.#options;
    if (this.#turn !== null && !this.#turn.abort.signal.aborted) {
      this.#turn.abort.abort(new BubError("interrupted", "the turn was interrupted"));
      return null;
    }
    if (this.#turn !== null || this.#warned || !port.isInteractive) return INTERRUPTED;
    this.#warned = true;
    void complain(port.notes, "Ctrl-C again leaves, and so does Ctrl-D", "dim");
    return null;
  }

  async #turnEnd(result: TurnResult): Promise<number | null> {
    const { session, renderer } = this.#options;
    await Promise.all(this.#commands);
    this.#turn = null;
    await renderer.finish(result);
    if (this.#quit) return this.#goodbye();
    this.#lastCode = exitCode(result, undefined);
    const unread = session.takePending();
    const next = unread.length > 0 ? unread.join("\n\n") : this.#waiting.shift();
    if (next !== undefined) {
      this.#start(next);
      return null;
    }
    if (this.#ending) return this.#goodbye();
    this.#idle();
    return null;
  }

  #start(message: string): void {
    const { session, renderer, port, turn } = this.#options;
    const abort = new AbortController();
    port.setBusy(true);
    const done = session.run(message, { ...turn, signal: abort.signal, write: renderer.write })
      .then((result) => this.#events.push({ type: "turn-end", result }));
    this.#turn = { abort, done, isCommand: this.#isCommand(message) };
  }

  #isCommand(text: string): boolean {
    return parseInbound(text, this.#options.commandPrefix).kind === "command";
  }

  /** Whether a line asks to quit, which waits for nothing. What comes of it the session decides. */
  #isQuit(text: string): boolean {
    const inbound = parseInbound(text.trim(), this.#options.commandPrefix);
    return inbound.kind === "command" && /^\s*quit\s*$/i.test(inbound.line);
  }

  /** A person's command does not wait for the turn under way, and ends with it at the latest. */
  #command(line: string, signal: AbortSignal): void {
    const { session, renderer, turn } = this.#options;
    const done = session.run(line, { ...turn, signal, write: renderer.write })
      .then((result) => renderer.finish(result))
      .finally(() => this.#commands.delete(done));
    this.#commands.add(done);
  }

  #idle(): void {
    this.#options.port.setBusy(false);
  }

  /** A script wants to know how its last turn went; a person has seen it. */
  #goodbye(): number {
    return this.#options.port.isInteractive ? 0 : this.#lastCode;
  }

  async #stop(): Promise<void> {
    if (this.#turn === null) return;
    this.#turn.abort.abort(new BubError("interrupted", "the conversation was left"));
    await within(LEAVE_MS, this.#turn.done);
  }
}
