import type { Settings } from "../config/settings.ts";
import type { Environment, Shells } from "../environment/environment.ts";
import { BubError, toBubError } from "../errors.ts";
import type { EventBody, EventBus, TurnResult } from "../event.ts";
import type { HookRunner } from "../hook/runner.ts";
import type { Model } from "../model/model.ts";
import { eventEntry } from "../tape/entry.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import type { Skills } from "../skill/skill.ts";
import type { Tape } from "../tape/tape.ts";
import { parseInbound } from "../tool/command_line.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SessionControl, SessionQuit } from "../tool/tool.ts";
import type { Session, TurnOptions } from "./agent.ts";
import { changeSettings, effortInForce, modelInForce, readSession } from "./session_settings.ts";
import { SteeringInbox } from "./steering.ts";
import { abortError, type TurnMemory, turnStatus } from "./step.ts";
import { loadedTools, runTurn } from "./turn.ts";
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
  readonly skills: SkillCatalog;
  readonly hooks: readonly ToolHooks[];
  /** The other hooks of plugins; undefined: there are none. */
  readonly hookRunner: HookRunner | undefined;
  /** Names of the sidecars that plugins want beside the tape. */
  readonly sidecars: readonly string[];
  readonly events: EventBus;
  /** The model of an id. Throws `config` when none is chosen or it cannot be used. */
  readonly model: (id: string | undefined) => Model;
}

/** A message that is being handled. */
interface RunningMessage {
  readonly abort: AbortController;
  readonly done: Promise<TurnResult>;
}

/** One conversation of this process. */
export class LocalSession implements Session {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #inbox = new SteeringInbox();
  readonly #memory: TurnMemory = { system: undefined, lastId: 0 };
  readonly #running = new Set<RunningMessage>();
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
    const abort = new AbortController();
    const signal = AbortSignal.any([options.signal, this.#ending.signal, abort.signal]);
    const done = this.#handle(message, { ...options, signal }, this.#control(abort));
    const running = { abort, done };
    this.#running.add(running);
    try {
      return await done;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what runs, waits until it is on the tape, and stops every process of the session. */
  async close(): Promise<void> {
    this.#ending.abort(new BubError("interrupted", "the session was closed"));
    await Promise.allSettled(this.#running.values().map(({ done }) => done));
    await this.#parts.shells.stopAll();
  }

  /** Stops every process of the session, whatever is still being waited for. */
  async stopShells(graceMs: number): Promise<void> {
    await this.#parts.shells.stopAll(graceMs);
  }

  async #handle(
    message: string,
    options: TurnOptions,
    control: SessionControl,
  ): Promise<TurnResult> {
    const inbound = parseInbound(message, this.#parts.settings.commandPrefix);
    const result =
      await (inbound.kind === "command"
        ? this.#command(inbound.line, options, control)
        : this.#turn(inbound.text, options, control))
        .catch((thrown) => this.#ended(toBubError(thrown), options.signal));
    await this.#tellError(result, message, inbound.kind);
    this.#emit({ type: "result", ...result });
    return result;
  }

  async #turn(
    prompt: string,
    options: TurnOptions,
    session: SessionControl,
  ): Promise<TurnResult> {
    const { settings, registry, environment, shells, hooks, hookRunner, tape, gate } = this.#parts;
    const { signal, allowedTools } = options;
    const tools = allowedTools === undefined ? registry : registry.scope(allowedTools);
    using _held = await gate({
      signal,
      onWait: () =>
        this.#emit({
          type: "waiting",
          message: `session ${this.id} is busy with another turn; waiting for it to end`,
        }),
    });
    const recorded = await readSession(tape);
    const model = modelInForce(recorded.model, this.#parts);
    const turnHooks = await hookRunner?.startTurn({
      sessionId: this.id,
      workspace: settings.workspace,
      message: prompt,
      tape,
      sidecars: this.#sidecars(),
      signal,
    });
    const result = await runTurn(await turnHooks?.buildPrompt() ?? prompt, {
      sessionId: this.id,
      session,
      tape,
      recorded,
      model,
      tools: tools.load(recorded.loadedTools),
      skills: this.#skills(options),
      hooks,
      turnHooks,
      environment,
      shells,
      inbox: this.#inbox,
      commandPrefix: settings.commandPrefix,
      maxSteps: options.maxSteps ?? settings.maxSteps,
      maxTokens: settings.maxTokens,
      spillThreshold: settings.spillThreshold,
      reasoningEffort: effortInForce(recorded.reasoningEffort, settings),
      signal,
      emit: (event) => this.#emit(event),
    }, this.#memory).catch((thrown) => this.#ended(toBubError(thrown), signal));
    await turnHooks?.saveState(result);
    return result;
  }

  /** A text command does not wait for a running turn: it looks at it, or steers around it (T6). */
  async #command(
    line: string,
    options: TurnOptions,
    session: SessionControl,
  ): Promise<TurnResult> {
    const { settings, registry, environment, shells, hooks, tape } = this.#parts;
    const { signal, write } = options;
    // Loaded when used, as a prompt for the model needs nothing of it.
    const { runCommand } = await import("../tool/command.ts");
    const tools = await loadedTools(registry, tape);
    const command = await runCommand(line, {
      tools,
      hooks,
      write,
      warn: (message) => this.#emit({ type: "warning", message }),
      context: {
        environment,
        shells,
        tape,
        sessionId: this.id,
        session,
        tools,
        skills: this.#skills(options),
        caller: "command",
        callId: `command-${crypto.randomUUID()}`,
        commandPrefix: settings.commandPrefix,
        sidecars: this.#sidecars(),
        signal,
      },
    });
    await tape.append(eventEntry("command", command.record));
    return { ...this.#ended(command.error, signal), output: command.output };
  }

  async #tellError(
    { error }: TurnResult,
    message: string,
    kind: "command" | "prompt",
  ): Promise<void> {
    if (error === null) return;
    const { hookRunner, settings: { workspace } } = this.#parts;
    const stage = kind === "command" ? "command" : "turn";
    await hookRunner?.onError({ sessionId: this.id, workspace, message, stage, error });
  }

  /** What the message that `own` belongs to may do to its session. */
  #control(own: AbortController): SessionControl {
    return {
      change: (change) => changeSettings(change, this.#parts),
      quit: () => this.#quit(own),
    };
  }

  async #quit(own: AbortController): Promise<SessionQuit> {
    this.#emit({ type: "quit" });
    const others = [...this.#running].filter(({ abort }) => abort !== own);
    for (const { abort } of others) {
      abort.abort(new BubError("interrupted", "the session was quit"));
    }
    await Promise.allSettled(others.map(({ done }) => done));
    const { shells } = this.#parts;
    const running = shells.list().filter(({ status }) => status === "running").length;
    await shells.stopAll();
    return { messages: this.#inbox.drain().length, turns: others.length, shells: running };
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

  #skills({ allowedSkills: allowed }: TurnOptions): Skills {
    const warn = (message: string) => this.#emit({ type: "warning", message });
    return this.#parts.skills.open({ allowed, warn });
  }

  /** The tapes of plugins beside the session's own. */
  #sidecars(): Readonly<Record<string, Tape>> {
    const { tape, sidecars } = this.#parts;
    return Object.fromEntries(sidecars.map((name) => [name, tape.sidecar(name)]));
  }

  #emit(event: EventBody): void {
    this.#parts.events.emit({ session_id: this.id, ...event });
  }
}
