import type { Settings } from "../config/settings.ts";
import type { Environment, Shells } from "../environment/environment.ts";
import { BubError, toBubError } from "../errors.ts";
import type { EventBody, EventBus, TurnResult } from "../event.ts";
import type { HookRunner } from "../hook/runner.ts";
import type { Model, UserMessage } from "../model/model.ts";
import { eventEntry } from "../tape/entry.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import type { Skills } from "../skill/skill.ts";
import { ResultInbox } from "../subagent/result_inbox.ts";
import type { Tape } from "../tape/tape.ts";
import { parseInbound } from "../tool/command_line.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SessionControl, SessionQuit } from "../tool/tool.ts";
import type { Session, TurnOptions } from "./agent.ts";
import type { ChildSession, Inheritance } from "./child_session.ts";
import { changeSettings, effortInForce, modelInForce, readSession } from "./session_settings.ts";
import { SteeringInbox } from "./steering.ts";
import { abortError, promptText, type TurnMemory, turnStatus } from "./step.ts";
import { SessionSubagents, type SubagentPlace } from "./subagents.ts";
import { runTurn } from "./turn.ts";
import { NO_USAGE } from "../model/usage.ts";

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
  /** By its start in this process, 0 for the first. */
  readonly number: number;
  /** What subagents take; undefined: this session is one itself and has none. */
  readonly subagents: Pick<SubagentPlace, "manager" | "owner" | "open"> | undefined;
  /** The model of an id. Throws `config` when none is chosen or it cannot be used. */
  readonly model: (id: string | undefined) => Model;
}

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
    return this.#start({ ...inbound, message }, options);
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
    const { settings, environment, shells, hooks, hookRunner, tape, gate } = this.#parts;
    const { signal } = options;
    const tools = inherited?.tools ?? this.#tools(options);
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
    const { settings, registry, environment, shells, hooks, tape } = this.#parts;
    const { signal, write } = options;
    // Loaded when used, as a prompt for the model needs nothing of it.
    const { runCommand } = await import("../tool/command.ts");
    const recorded = await readSession(tape);
    const tools = registry.load(recorded.loadedTools);
    const skills = this.#skills(options);
    const callId = `command-${crypto.randomUUID()}`;
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
        skills,
        caller: "command",
        subagents: this.#subagents?.port({
          callId,
          tools,
          skills,
          model: () => modelInForce(recorded.model, this.#parts),
          reasoningEffort: effortInForce(recorded.reasoningEffort, settings),
          maxSteps: settings.maxSteps,
          state: undefined,
          prompts: [],
          // The command ends at once; what it starts goes on.
          signal,
        }),
        callId,
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

  #tools({ allowedTools }: TurnOptions): ToolRegistry {
    const { registry } = this.#parts;
    return allowedTools === undefined ? registry : registry.scope(allowedTools);
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

/** A prompt that hooks have built, with the media of what it was built from. */
function withMedia(built: string, from: UserMessage["content"]): UserMessage["content"] {
  if (typeof from === "string") return built;
  const media = from.filter(({ type }) => type === "media");
  return media.length === 0 ? built : [{ type: "text", text: built }, ...media];
}
