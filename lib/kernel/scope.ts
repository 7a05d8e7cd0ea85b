import type { CodeSandbox } from "../code/sandbox.ts";
import type { Environment, Shells } from "../environment/environment.ts";
import type { EventBody } from "../event.ts";
import type { TurnHooks } from "../hook/turn_hooks.ts";
import type { Model } from "../model/model.ts";
import type { Skills } from "../skill/skill.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SessionControl } from "../tool/tool.ts";
import type { SessionRecord } from "./session_settings.ts";
import type { RunSubagents } from "./run_subagents.ts";
import type { SteeringInbox } from "./steering.ts";

/** Everything one turn works with, settled before its first step. */
export interface TurnScope {
  readonly sessionId: string;
  /** By its start in this process, 0 for the first. */
  readonly sessionNumber: number;
  readonly session: SessionControl;
  readonly tape: Tape;
  /** What the tape said of the session when the turn began. */
  readonly recorded: SessionRecord;
  readonly model: Model;
  /** The tools this turn may use, the deferred ones that are loaded by now marked as such. */
  readonly tools: ToolRegistry;
  /** The skills this turn may use. */
  readonly skills: Skills;
  readonly hooks: readonly ToolHooks[];
  /** The other hooks of plugins; undefined: there are none. */
  readonly turnHooks: TurnHooks | undefined;
  readonly environment: Environment;
  readonly shells: Shells;
  readonly sandbox: CodeSandbox;
  readonly inbox: SteeringInbox;
  /** Undefined in a subagent, which has none. */
  readonly subagents: RunSubagents | undefined;
  readonly commandPrefix: string;
  readonly maxSteps: number;
  readonly maxTokens: number;
  /** Estimated tokens over which results are put away; 0: never. */
  readonly spillThreshold: number;
  readonly reasoningEffort: string | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}
