import { BubError, toBubError } from "../errors.ts";
import type { EventBody, TurnResult } from "../event.ts";
import type { UserMessage } from "../model/model.ts";
import type { Skills } from "../skill/skill.ts";
import { ResultInbox } from "../subagent/result_inbox.ts";
import type { Tape } from "../tape/tape.ts";
import { parseInbound } from "../tool/command_line.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SessionControl, SessionQuit } from "../tool/tool.ts";
import type { Session, TurnOptions } from "./agent.ts";
import type { ChildSession, Inheritance } from "./child_session.ts";
import { promptContent, withMedia } from "./prompt_content.ts";
import type { SessionParts } from "./session_parts.ts";
import {
  changeSettings,
  codeModeInForce,
  effortInForce,
  modelInForce,
  readSession,
  type SessionRecord,
} from "./session_settings.ts";
import { SteeringInbox } from "./steering.ts";
import { abortError, promptText, type TurnMemory, turnStatus } from "./step.ts";
import { SessionSubagents } from "./subagents.ts";
import { runTurn } from "./turn.ts";
import { NO_USAGE } from "../model/usage.ts";

// Named by a variable, so that Deno loads it when it is used and not before (see main.ts).
const TEXT_COMMAND = "./text_command.ts";

/** A message for the model. */
interface InboundPrompt {
  readonly kind: "prompt";
  readonly text: UserMessage["content"];
  /** Its words alone. */
  readonly message: string;
  /** From the run that started this subagent. */
  readonly inherited?: Inheritance;
}

type Inbound =
  | InboundPrompt
  | { readonly kind: "command"; readonly line: string; readonly message: string };

/** A message that is being handled. */
interface RunningMessage {
  readonly abort: AbortController;
  readonly done: Promise<TurnResult>;
}

/** One conversation of this process. */
export class LocalSession implements Session, ChildSession {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #inbox = new SteeringInbox();
  readonly #memory: TurnMemory = { system: undefined, lastId: 0 };
  readonly #running = new Set<RunningMessage>();
  readonly #ending = new AbortController();
  readonly #subagents: SessionSubagents | undefined;

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.#parts = parts;
    if (parts.subagents === undefined) return;
    const { id: sessionId, tape } = parts;
    const results = new ResultInbox(tape);
    this.#subagents = new SessionSubagents({ ...parts, ...parts.subagents, sessionId, results });
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

  run(message: string, options: TurnOptions): Promise<TurnResult> {
    const inbound = parseInbound(message, this.#parts.settings.commandPrefix);
    if (inbound.kind === "command") return this.#start({ ...inbound, message }, options);
    const text = promptContent(inbound.text, options.media);
    return this.#start({ ...inbound, text, message }, options);
  }

  prompt(
    text: UserMessage["content"],
    { signal, inherited }: Parameters<ChildSession["prompt"]>[1],
  ): Promise<TurnResult> {
    const message = promptText([{ role: "user", content: text }]);
    return this.#start({ kind: "prompt", text, message, inherited }, { signal });
  }

  async #start(inbound: Inbound, options: TurnOptions): Promise<TurnResult> {
    const abort = new AbortController();
    const signal = AbortSignal.any([options.signal, this.#ending.signal, abort.signal]);
    const done = this.#handle(inbound, { ...options, signal }, this.#control(abort));
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
    await Promise.allSettled([
      ...this.#running.values().map(({ done }) => done),
      this.#subagents?.end(),
    ]);
    await this.#parts.shells.stopAll();
  }

  /** Stops every process of the session, whatever is still being waited for. */
  async stopShells(graceMs?: number): Promise<void> {
    await Promise.all([this.#subagents?.stopShells(graceMs), this.#parts.shells.stopAll(graceMs)]);
  }

  async #handle(
    inbound: Inbound,
    options: TurnOptions,
    control: SessionControl,
  ): Promise<TurnResult> {
    const result =
      await (inbound.kind === "command"
        ? this.#command(inbound.line, options, control)
        : this.#turn(inbound, options, control))
        .catch((thrown) => this.#ended(toBubError(thrown), options.signal));
    await this.#tellError(result, inbound, options.signal);
    this.#emit({ type: "result", ...result });
    return result;
  }

  async #turn(
    { text, message, inherited }: InboundPrompt,
    options: TurnOptions,
    session: SessionControl,
  ): Promise<TurnResult> {
    const { settings, environment, shells, hooks, hookRunner, tape, gate, sandbox } = this.#parts;
    const { signal } = options;
    using _held = await gate({
      signal,
      onWait: () =>
        this.#emit({
          type: "waiting",
          message: `session ${this.id} is busy with another turn; waiting for it to end`,
        }),
    });
    const recorded = await readSession(tape);
    const model = inherited?.model ?? modelInForce(recorded.model, this.#parts);
    const tools = inherited?.tools ?? this.#tools(options, recorded);
    const subagents = await this.#subagents?.startRun(recorded);
    const turnHooks = await hookRunner?.startTurn({
      sessionId: this.id,
      workspace: settings.workspace,
      message,
      tape,
      sidecars: this.#sidecars(),
      signal,
      ...(inherited === undefined ? {} : { state: inherited.state }),
    });
    const built = await turnHooks?.buildPrompt() ?? message;
    const ended = await runTurn(built === message ? text : withMedia(built, text), {
      sessionId: this.id,
      sessionNumber: this.#parts.number,
      session,
      tape,
      recorded,
      model,
      tools: tools.load(recorded.loadedTools),
      skills: inherited?.skills ?? this.#skills(options),
      hooks,
      turnHooks,
      environment,
      shells,
      sandbox,
      inbox: this.#inbox,
      subagents,
      commandPrefix: settings.commandPrefix,
      maxSteps: inherited?.maxSteps ?? options.maxSteps ?? settings.maxSteps,
      maxTokens: settings.maxTokens,
      spillThreshold: settings.spillThreshold,
      reasoningEffort: inherited === undefined
        ? effortInForce(recorded.reasoningEffort, settings)
        : inherited.reasoningEffort,
      signal,
      emit: (event) => this.#emit(event),
    }, this.#memory).catch((thrown) => this.#ended(toBubError(thrown), signal));
    // What was asked of an interrupted turn is no longer wanted; of a failed one it may be.
    if (signal.aborted) await subagents?.cancel();
    const result = subagents?.sum(ended) ?? ended;
    await turnHooks?.saveState(result);
    return result;
  }

  /** A text command does not wait for a running turn: it looks at it, or steers around it (T6). */
  async #command(
    line: string,
    options: TurnOptions,
    session: SessionControl,
  ): Promise<TurnResult> {
    const { runTextCommand }: typeof import("./text_command.ts") = await import(TEXT_COMMAND);
    const { output, error } = await runTextCommand(line, options, {
      parts: this.#parts,
      session,
      subagents: this.#subagents,
      skills: this.#skills(options),
      sidecars: this.#sidecars(),
      warn: (message) => this.#emit({ type: "warning", message }),
    });
    return { ...this.#ended(error, options.signal), output };
  }

  async #tellError(
    { error }: TurnResult,
    { kind, message }: Inbound,
    signal: AbortSignal,
  ): Promise<void> {
    if (error === null) return;
    const { hookRunner, settings: { workspace } } = this.#parts;
    const stage = kind === "command" ? "command" : "turn";
    await hookRunner?.onError(
      { sessionId: this.id, workspace, message, stage, error },
      signal,
    );
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
    const ended = this.#subagents?.end() ?? Promise.resolve(0);
    await Promise.allSettled(others.map(({ done }) => done));
    const subagents = await ended;
    const { shells } = this.#parts;
    const running = shells.list().filter(({ status }) => status === "running").length;
    await shells.stopAll();
    return {
      messages: this.#inbox.drain().length,
      turns: others.length,
      subagents,
      shells: running,
    };
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

  #tools({ allowedTools }: TurnOptions, { codeMode }: SessionRecord): ToolRegistry {
    const { registry, settings } = this.#parts;
    const tools = registry.inCodeMode(codeModeInForce(codeMode, settings));
    return allowedTools === undefined ? tools : tools.scope(allowedTools);
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
