import type { UserMessage } from "../model/model.ts";
import { createSpill } from "../spill/spill.ts";
import type { ToolCall } from "../tape/entry.ts";
import { executeCall, type ToolResult } from "../tool/execute.ts";
import { callContext, type CallScope } from "./call_scope.ts";
import { CallWatch } from "./call_watch.ts";
import { CodeCalls } from "./code_calls.ts";
import type { TurnScope } from "./scope.ts";

/** The step that calls belong to. */
export interface CallingStep {
  readonly step: number;
  /** Not on the tape before the step has ended. */
  readonly prompts: readonly UserMessage[];
}

/**
 * Runs all calls of one step at once; the answer has their results in call order (T4). Never
 * rejects: whatever happens to a call is its result.
 */
export function runToolBatch(
  calls: readonly ToolCall[],
  step: CallingStep,
  scope: TurnScope,
): Promise<readonly ToolResult[]> {
  const { spillThreshold } = scope;
  const shared = stepCalls(step, scope);
  return Promise.all(calls.map((call) => runCall(call, shared, spillThreshold)));
}

async function runCall(
  call: ToolCall,
  scope: CallScope,
  threshold: number,
): Promise<ToolResult> {
  const { tape, tools, hooks, watch, warn } = scope;
  const code = new CodeCalls(scope, call.id);
  watch?.started(call, tools);
  const result = await executeCall(call, {
    tools,
    hooks,
    warn,
    spill: createSpill({ tape, tools, threshold, warn }),
    context: callContext(scope, { callId: call.id, caller: "model", code }),
  });
  await code.ended();
  watch?.ended(result);
  return result;
}

function stepCalls({ step, prompts }: CallingStep, scope: TurnScope): CallScope {
  const { tools, skills, subagents, model, reasoningEffort, maxSteps, emit, turnHooks } = scope;
  const { environment, shells, tape, sessionId, session, commandPrefix, hooks, sandbox } = scope;
  const state = turnHooks?.turn.state;
  const run = { tools, skills, model: () => model, reasoningEffort, maxSteps, state, prompts };
  return {
    environment,
    shells,
    tape,
    sessionId,
    session,
    tools,
    skills,
    commandPrefix,
    sidecars: turnHooks?.turn.sidecars,
    state,
    signal: scope.signal,
    hooks,
    subagents: subagents && ((callId, signal) => subagents.port({ ...run, callId, signal })),
    sandbox,
    watch: new CallWatch(step, emit),
    warn: (message) => emit({ type: "warning", message }),
  };
}
