import type { Environment, Shells } from "../environment/environment.ts";
import type { EventBody } from "../event.ts";
import type { Model } from "../model/model.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SteeringInbox } from "./steering.ts";

/** Everything one turn works with, settled before its first step. */
export interface TurnScope {
  readonly sessionId: string;
  readonly tape: Tape;
  readonly model: Model;
  /** The tools this turn may use. */
  readonly tools: ToolRegistry;
  readonly hooks: readonly ToolHooks[];
  readonly environment: Environment;
  readonly shells: Shells;
  readonly inbox: SteeringInbox;
  readonly commandPrefix: string;
  readonly maxSteps: number;
  readonly maxTokens: number;
  readonly reasoningEffort: string | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}
