import type { JsonValue } from "../json.ts";
import { createSpill } from "../spill/spill.ts";
import type { UserMessage } from "../model/model.ts";
import type { ToolCall } from "../tape/entry.ts";
import { executeCall, type ToolResult } from "../tool/execute.ts";
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
  return Promise.all(calls.map((call) => runCall(call, step, scope)));
}

async function runCall(
  call: ToolCall,
  { step, prompts }: CallingStep,
  scope: TurnScope,
): Promise<ToolResult> {
  const {
    tools,
    skills,
    hooks,
    emit,
    environment,
    shells,
    tape,
    sessionId,
    session,
    commandPrefix,
    turnHooks,
    subagents,
    model,
    reasoningEffort,
    maxSteps,
    spillThreshold: threshold,
    signal,
  } = scope;
  const call_id = call.id;
  const warn = (message: string) => emit({ type: "warning", message });
  emit({
    type: "tool.start",
    step,
    call_id,
    name: tools.find(call.function.name)?.name ?? call.function.name,
    arguments: shownArguments(call.function.arguments),
  });
  const result = await executeCall(call, {
    tools,
    hooks,
    warn,
    spill: createSpill({ tape, tools, threshold, warn }),
    context: {
      environment,
      shells,
      tape,
      sessionId,
      session,
      tools,
      skills,
      caller: "model",
      subagents: subagents?.port({
        callId: call.id,
        tools,
        skills,
        model: () => model,
        reasoningEffort,
        maxSteps,
        state: turnHooks?.turn.state,
        prompts,
        signal,
      }),
      callId: call.id,
      commandPrefix,
      sidecars: turnHooks?.turn.sidecars,
      state: turnHooks?.turn.state,
      signal,
    },
  });
  const { name, status, elapsedMs: elapsed_ms, text: output } = result;
  emit({ type: "tool.end", step, call_id, name, status, elapsed_ms, output });
  return result;
}

/** The arguments for watchers: parsed where they are JSON, else the text as it came. */
function shownArguments(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
