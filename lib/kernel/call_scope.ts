import type { CodeSandbox } from "../code/sandbox.ts";
import type { SubagentPort } from "../subagent/port.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { CallWatch } from "./call_watch.ts";

/** What the calls of one step, or of one text command, have in common. */
export interface CallScope extends
  Pick<
    ToolContext,
    | "environment"
    | "shells"
    | "tape"
    | "sessionId"
    | "session"
    | "skills"
    | "commandPrefix"
    | "sidecars"
    | "state"
    | "signal"
  > {
  readonly tools: ToolRegistry;
  readonly hooks: readonly ToolHooks[];
  /** What one call may do about subagents; undefined: there can be none. */
  readonly subagents: ((callId: string, signal: AbortSignal) => SubagentPort) | undefined;
  readonly sandbox: CodeSandbox;
  /** Undefined for text commands, whose calls nobody watches. */
  readonly watch: CallWatch | undefined;
  readonly warn: (message: string) => void;
}

/** What is one call's own. */
export interface OwnContext extends Pick<ToolContext, "callId" | "caller" | "code" | "attach"> {
  /** @default {that of the scope} */
  readonly signal?: AbortSignal;
}

/** What a call may use while it runs. */
export function callContext(scope: CallScope, own: OwnContext): ToolContext {
  const { hooks: _hooks, sandbox: _sandbox, watch: _watch, warn: _warn, ...shared } = scope;
  const { signal = shared.signal } = own;
  return { ...shared, ...own, signal, subagents: scope.subagents?.(own.callId, signal) };
}
