import { BubError } from "../errors.ts";
import type { TurnResult } from "../event.ts";
import type { ToolSpec, Usage, UserMessage } from "../model/model.ts";
import { expandSkills } from "../skill/expand.ts";
import type { TakenResults } from "../subagent/result_inbox.ts";
import { errorEntry, eventEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import { modelAlias } from "../tool/tool.ts";
import type { Answer } from "./answer.ts";
import { systemPrompt } from "./prompt.ts";
import type { TurnScope } from "./scope.ts";
import { readSession, sessionCopy } from "./session_settings.ts";
import {
  abortError,
  promptText,
  runStep,
  type StepOutcome,
  type TurnMemory,
  turnStatus,
} from "./step.ts";
import { addUsage, NO_USAGE } from "../model/usage.ts";

const NOTHING_TAKEN: TakenResults = { results: [], entries: [] };

/** Steps until the model asks for no more tools. Rejects only when the tape cannot be written. */
export async function runTurn(
  content: UserMessage["content"],
  scope: TurnScope,
  memory: TurnMemory,
): Promise<TurnResult> {
  const prompt = promptText([{ role: "user", content }]);
  scope.emit({ type: "turn.start", prompt, model: scope.model.id });
  const { text: system, warnings } = await systemPrompt(scope, new Date());
  // Told once, not with every turn of a conversation.
  if (system !== memory.system) {
    for (const message of warnings) scope.emit({ type: "warning", message });
  }
  let usage: Usage = NO_USAGE;
  let output = "";
  let mayHandOff = true;
  const turnPrompt = await userMessage(content, scope);
  for (let step = 1;; step++) {
    const refused = step === 1 ? null : refusal(step, scope);
    if (refused !== null) {
      await scope.tape.append(errorEntry(refused.report()));
      return result(scope, output, step - 1, usage, refused);
    }
    const tools = step === 1 ? scope.tools : await loadedTools(scope.tools, scope.tape);
    const said = [...steering(scope, step), ...await continuation(scope, step)];
    const { results, entries } = scope.subagents?.take() ?? NOTHING_TAKEN;
    const outcome = await runStep({
      step,
      prompts: [
        ...results.map(({ content }): UserMessage => ({ role: "user", content })),
        ...inOrder(
          await Promise.all(said.map((text) => userMessage(text, scope))),
          step === 1 ? [turnPrompt] : [],
          scope,
        ),
      ],
      reads: entries,
      turnPrompt,
      mayHandOff,
      system,
      memory,
      specs: await toolSpecs(tools),
      opening: step === 1 ? [loopStart(prompt, scope)] : [],
    }, { ...scope, tools });
    mayHandOff &&= !outcome.handedOff;
    usage = outcome.usage === null ? usage : addUsage(usage, outcome.usage);
    output = outcome.answer.text;
    if (outcome.status !== "continue" && !await goesOn(outcome, step, scope)) {
      if (outcome.error === null) warnOfOddEnd(outcome.answer, scope);
      return result(scope, output, step, usage, outcome.error);
    }
  }
}

/**
 * Whether a turn goes on although its model asks for nothing more: there are results of subagents
 * to read. Waits for the next one, unless there is no step left to read it in.
 */
async function goesOn(
  { status }: StepOutcome,
  step: number,
  { subagents, maxSteps, signal }: TurnScope,
): Promise<boolean> {
  if (status !== "ok" || subagents === undefined) return false;
  return step < maxSteps ? await subagents.next(signal) : subagents.isOpen;
}

/** What waited came before the prompt of a turn, but after that of a subagent, which may queue. */
function inOrder(
  said: readonly UserMessage[],
  prompt: readonly UserMessage[],
  { subagents }: TurnScope,
): readonly UserMessage[] {
  return subagents === undefined ? [...prompt, ...said] : [...said, ...prompt];
}

/** What waited in the inbox, for the coming step. */
function steering({ inbox, emit }: TurnScope, step: number): readonly string[] {
  const messages = inbox.drain();
  if (messages.length > 0) emit({ type: "steering", step, messages });
  return messages;
}

/** What hooks say before a later step. */
async function continuation({ turnHooks }: TurnScope, step: number): Promise<readonly string[]> {
  if (step === 1) return [];
  const prompt = await turnHooks?.continuePrompt(step);
  return prompt === undefined ? [] : [prompt];
}

/** A prompt as a message, with the skills that it names (S2). */
async function userMessage(
  content: UserMessage["content"],
  { skills, emit }: TurnScope,
): Promise<UserMessage> {
  const warn = (message: string) => emit({ type: "warning", message });
  const expand = (text: string) => expandSkills(text, skills, warn);
  if (typeof content === "string") return { role: "user", content: await expand(content) };
  const parts = content.map(async (part) =>
    part.type === "text" ? { ...part, text: await expand(part.text) } : part
  );
  return { role: "user", content: await Promise.all(parts) };
}

/** `tools` with those marked that were loaded by now: the model may call them (S3). */
export async function loadedTools(tools: ToolRegistry, tape: Tape): Promise<ToolRegistry> {
  if (tools.deferred().length === 0) return tools;
  return tools.load((await readSession(tape)).loadedTools);
}

function loopStart(prompt: string, { model, tools, recorded }: TurnScope) {
  return eventEntry("loop.start", {
    model: model.id,
    prompt,
    tools: tools.forTurn().map(({ name }) => name),
    session: sessionCopy(recorded),
  });
}

async function toolSpecs(tools: ToolRegistry): Promise<readonly ToolSpec[]> {
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
    : answer.text.trim() === ""
    ? "the model gave an empty answer"
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
