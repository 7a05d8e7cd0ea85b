import type { EventBus, TurnResult } from "../event.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import type { Media } from "../tool/output.ts";
import type { ToolSet } from "../tool/registry.ts";

/** What one turn may do, beside what the settings say. */
export interface TurnOptions {
  /** Ends the turn: a `TimeoutError` as reason means the time limit, anything else an interruption. */
  readonly signal: AbortSignal;
  /** Default from the settings. */
  readonly maxSteps?: number | undefined;
  /** Names of the tools the turn may use, either form; undefined: all, `[]`: none. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Names of the skills the turn may use, in any case; undefined: all, `[]`: none. */
  readonly allowedSkills?: readonly string[] | undefined;
  /** What the prompt shows the model. Text commands are told to nobody who could look. */
  readonly media?: readonly Media[] | undefined;
  /**
   * Takes the output of a text command in pieces as they are ready; `output` in the result is
   * then empty. Without it the output is in the result whole.
   */
  readonly write?: ((piece: string) => Promise<void>) | undefined;
}

/** A conversation, open in this process. */
export interface Session {
  readonly id: string;
  /**
   * Handles one inbound message to its end: a text command, or a turn of the model. Never rejects
   * for what a model, a tool or a provider did; that is in the result. Turns of one session wait
   * for each other, also across processes.
   */
  run(message: string, options: TurnOptions): Promise<TurnResult>;
  /** Puts a message in the steering inbox: a running turn reads it before its next step. */
  steer(message: string): void;
  /** Messages in the steering inbox that no step has read. */
  readonly pending: readonly string[];
  /** Takes those messages out, to make them a message of their own. */
  takePending(): readonly string[];
}

/** The running program below any user interface. */
export interface Agent {
  readonly events: EventBus;
  readonly tools: ToolSet;
  readonly skills: SkillCatalog;
  session(id: string): Session;
  /**
   * The session that plugins choose for a conversation: the one asked for, if they do not mind, or
   * have not answered when `signal` is aborted.
   */
  resolveSession(id: string, message: string, signal?: AbortSignal): Promise<string>;
  /**
   * Stops every process and waits for what must be written. Safe to call twice. With
   * `graceMs` no process is given more milliseconds than that to end by itself, from now on.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
