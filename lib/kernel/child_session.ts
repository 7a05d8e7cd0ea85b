import type { BubEvent, TurnResult } from "../event.ts";
import type { Model, UserMessage } from "../model/model.ts";
import type { Skills } from "../skill/skill.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { TurnState } from "../tool/tool.ts";
import type { TurnGate } from "./session_parts.ts";

/** What a turn has from the run that started it, where other turns ask settings and tape. */
export interface Inheritance {
  readonly model: Model;
  readonly reasoningEffort: string | undefined;
  readonly tools: ToolRegistry;
  readonly skills: Skills;
  readonly maxSteps: number;
  /** Copied: what the turn's hooks change in it stays there. */
  readonly state: TurnState;
}

/** The session of a subagent, as those see it who work with it. */
export interface ChildSession {
  /** One turn of the model, whatever the content begins with. Never rejects, like `run`. */
  prompt(
    content: UserMessage["content"],
    options: { readonly signal: AbortSignal; readonly inherited: Inheritance },
  ): Promise<TurnResult>;
  steer(message: string): void;
  takePending(): readonly string[];
  stopShells(graceMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ChildOptions {
  readonly id: string;
  /** In place of the tape that is kept under this id. */
  readonly tape?: Tape | undefined;
  readonly onEvent: (event: BubEvent) => void;
}

/** A child session, and what keeps other turns out of it. */
export interface OpenedChild {
  readonly session: ChildSession;
  readonly gate: TurnGate;
}

export type OpenChild = (options: ChildOptions) => OpenedChild;
