import type { Settings } from "../config/settings.ts";
import type { Environment, Shells } from "../environment/environment.ts";
import { BubError, toBubError } from "../errors.ts";
import type { EventBody, EventBus, TurnResult } from "../event.ts";
import type { Model } from "../model/model.ts";
import { eventEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";
import { parseInbound } from "../tool/command_line.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Session, TurnOptions } from "./agent.ts";
import { SteeringInbox } from "./steering.ts";
import { abortError, turnStatus } from "./step.ts";
import { runTurn, type TurnMemory } from "./turn.ts";
import { NO_USAGE } from "./usage.ts";

/** Holds a session for one turn; disposing lets the next one in. */
export type TurnGate = (
  options: { readonly signal: AbortSignal; readonly onWait: () => void },
) => Promise<Disposable>;

/** What a session is made of: chosen by the app, shared between sessions but for tape and shells. */
export interface SessionParts {
  readonly id: string;
  readonly tape: Tape;
  readonly shells: Shells;
  readonly gate: TurnGate;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly registry: ToolRegistry;
  readonly hooks: readonly ToolHooks[];
  readonly events: EventBus;
  /** Throws `config` when no model is chosen or it cannot be used. */
  readonly model: () => Model;
}

/** One conversation of this process. */
export class LocalSession implements Session {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #inbox = new SteeringInbox();
  readonly #memory: TurnMemory = { recordedSystem: undefined };
  readonly #running = new Set<Promise<TurnResult>>();
  readonly #ending = new AbortController();

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  get pending(): readonly string[] {
    return this.#inbox.pending;
  }

  takePending(): readonly string[] {
    return this.#inbox.drain();
  }

  steer(message: string): void {
    this.#inbox.put(message);
  }

  async run(message: string, options: TurnOptions): Promise<TurnResult> {
    const signal = AbortSignal.any([options.signal, this.#ending.signal]);
    const running = this.#handle(message, { ...options, signal });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what runs, waits until it is on the tape, and stops every process of the session. */
  async close(): Promise<void> {
    this.#ending.abort(new BubError("interrupted", "the session was closed"));
    await Promise.allSettled(this.#running);
    await this.#parts.shells.stopAll();
  }

  /** Stops every process of the session, whatever is still being waited for. */
  async stopShells(graceMs: number): Promise<void> {
    await this.#parts.shells.stopAll(graceMs);
  }

  async #handle(message: string, options: TurnOptions): Promise<TurnResult> {
    const inbound = parseInbound(message, this.#parts.settings.commandPrefix);
    const result =
      await (inbound.kind === "command"
        ? this.#command(inbound.line, options)
        : this.#turn(inbound.text, options))
        .catch((thrown) => this.#ended(toBubError(thrown), options.signal));
    this.#emit({ type: "result", ...result });
    return result;
  }

  async #turn(prompt: string, options: TurnOptions): Promise<TurnResult> {
    const { settings, registry, environment, shells, hooks, tape, gate } = this.#parts;
    const { signal, allowedTools } = options;
    const tools = allowedTools === undefined ? registry : registry.scope(allowedTools);
    const model = this.#parts.model();
    using _held = await gate({
      signal,
      onWait: () =>
        this.#emit({
          type: "waiting",
          message: `session ${this.id} is busy with another turn; waiting for it to end`,
        }),
    });
    return await runTurn(prompt, {
      sessionId: this.id,
      tape,
      model,
      tools,
      hooks,
      environment,
      shells,
      inbox: this.#inbox,
      commandPrefix: settings.commandPrefix,
      maxSteps: options.maxSteps ?? settings.maxSteps,
      maxTokens: settings.maxTokens,
      reasoningEffort: settings.reasoningEffort,
      signal,
      emit: (event) => this.#emit(event),
    }, this.#memory);
  }

  /** A text command does not wait for a running turn: it looks at it, or steers around it (T6). */
  async #command(line: string, { signal, write }: TurnOptions): Promise<TurnResult> {
    const { settings, registry, environment, shells, hooks, tape } = this.#parts;
    // Loaded when used, as a prompt for the model needs nothing of it.
    const { runCommand } = await import("../tool/command.ts");
    const command = await runCommand(line, {
      tools: registry,
      hooks,
      write,
      warn: (message) => this.#emit({ type: "warning", message }),
      context: {
        environment,
        shells,
        tape,
        sessionId: this.id,
        tools: registry,
        caller: "command",
        callId: `command-${crypto.randomUUID()}`,
        commandPrefix: settings.commandPrefix,
        signal,
      },
    });
    await tape.append(eventEntry("command", command.record));
    return { ...this.#ended(command.error, signal), output: command.output };
  }

  /** A result without a step. */
  #ended(failure: BubError | null, signal: AbortSignal): TurnResult {
    const error = failure !== null && signal.aborted ? abortError(signal, failure) : failure;
    return {
      session_id: this.id,
      output: "",
      status: turnStatus(error, signal),
      steps: 0,
      usage: NO_USAGE,
      tasks: [],
      error: error?.report() ?? null,
    };
  }

  #emit(event: EventBody): void {
    this.#parts.events.emit({ session_id: this.id, ...event });
  }
}
