import { BubError } from "../errors.ts";
import type { TurnResult } from "../event.ts";
import type { ToolSpec, Usage, UserMessage } from "../model/model.ts";
import { errorEntry, eventEntry } from "../tape/entry.ts";
import { modelAlias } from "../tool/tool.ts";
import type { Answer } from "./answer.ts";
import { systemPrompt } from "./prompt.ts";
import type { TurnScope } from "./scope.ts";
import { abortError, runStep, turnStatus } from "./step.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

/** What the session remembers from turn to turn. */
export interface TurnMemory {
  /** The system prompt the tape has last; undefined: not known. */
  recordedSystem: string | undefined;
}

/** Steps until the model asks for no more tools. Rejects only when the tape cannot be written. */
export async function runTurn(
  prompt: string,
  scope: TurnScope,
  memory: TurnMemory,
): Promise<TurnResult> {
  scope.emit({ type: "turn.start", prompt, model: scope.model.id });
  const [system, specs] = await Promise.all([
    systemPrompt(scope.environment, new Date()),
    toolSpecs(scope),
  ]);
  let usage: Usage = NO_USAGE;
  let output = "";
  for (let step = 1;; step++) {
    const refused = step === 1 ? null : refusal(step, scope);
    if (refused !== null) {
      await scope.tape.append(errorEntry(refused.report()));
      return result(scope, output, step - 1, usage, refused);
    }
    const outcome = await runStep({
      step,
      prompts: [...steering(scope, step), ...(step === 1 ? [userMessage(prompt)] : [])],
      system,
      recordSystem: memory.recordedSystem !== system,
      specs,
      opening: step === 1 ? [loopStart(prompt, scope)] : [],
    }, scope);
    memory.recordedSystem = system;
    usage = outcome.usage === null ? usage : addUsage(usage, outcome.usage);
    output = outcome.answer.text;
    if (outcome.status !== "continue") {
      warnOfOddEnd(outcome.answer, scope);
      return result(scope, output, step, usage, outcome.error);
    }
  }
}

/** What waited in the inbox, as messages of the coming step. */
function steering({ inbox, emit }: TurnScope, step: number): UserMessage[] {
  const messages = inbox.drain();
  if (messages.length > 0) emit({ type: "steering", step, messages });
  return messages.map(userMessage);
}

function userMessage(content: string): UserMessage {
  return { role: "user", content };
}

function loopStart(prompt: string, { model, tools }: TurnScope) {
  return eventEntry("loop.start", {
    model: model.id,
    prompt,
    tools: tools.tools.filter(({ exposure }) => exposure !== "command").map(({ name }) => name),
  });
}

async function toolSpecs({ tools }: TurnScope): Promise<readonly ToolSpec[]> {
  return await Promise.all(
    tools.forModel().map(async (tool) => ({
      name: modelAlias(tool.name),
      description: tool.description,
      parameters: await tools.schema(tool),
    })),
  );
}

/** Why a further step may not be taken. The first one always is: it records the prompt. */
function refusal(step: number, { maxSteps, signal }: TurnScope): BubError | null {
  if (signal.aborted) return abortError(signal);
  if (step <= maxSteps) return null;
  return new BubError(
    "max_steps",
    `the model was not done after ${maxSteps} ${
      maxSteps === 1 ? "step" : "steps"
    }, all the turn may take`,
  );
}

function warnOfOddEnd(answer: Answer, { emit, maxTokens }: TurnScope): void {
  const message = answer.finish === "length"
    ? `the answer was cut at the limit of ${maxTokens} tokens (BUB_MAX_TOKENS)`
    : answer.finish === "content_filter"
    ? "the provider's content filter ended the answer"
    : answer.finish === "other" && answer.rawFinish !== undefined
    ? `the provider ended the answer for an unknown reason: ${answer.rawFinish}`
    : null;
  if (message !== null) emit({ type: "warning", message });
}

function result(
  { sessionId, signal }: TurnScope,
  output: string,
  steps: number,
  usage: Usage,
  error: BubError | null,
): TurnResult {
  return {
    session_id: sessionId,
    output,
    status: turnStatus(error, signal),
    steps,
    usage,
    tasks: [],
    error: error?.report() ?? null,
  };
}
