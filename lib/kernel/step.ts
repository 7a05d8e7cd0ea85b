import { alarm } from "../alarm.ts";
import { BubError, toBubError } from "../errors.ts";
import type { TurnStatus } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { ChatMessage, ContentPart, ToolSpec, Usage, UserMessage } from "../model/model.ts";
import {
  type EntryDraft,
  errorEntry,
  eventEntry,
  messageEntry,
  systemEntry,
  type TapeEntry,
  toolCallEntry,
} from "../tape/entry.ts";
import type { ToolResult } from "../tool/execute.ts";
import { type Answer, emptyAnswer } from "./answer.ts";
import { handOffOverflow, heardPrompts, stillOverflowing } from "./handoff.ts";
import { callModel } from "./model_call.ts";
import { MediaKeeper } from "./media_keeper.ts";
import { recordPrompts } from "./recorded_prompts.ts";
import { recordResults } from "./recorded_results.ts";
import type { TurnScope } from "./scope.ts";
import type { runToolBatch } from "./tool_batch.ts";

// Named by a variable, so that Deno loads it when it is used and not before (see main.ts).
const TOOL_BATCH = "./tool_batch.ts";

/**
 * Milliseconds from a request on after which the process for the code it may be answered with is
 * started: by then it has left, and nothing of the start is slower for it.
 */
const PREPARE_MS = 40;

/** What the session remembers from step to step. */
export interface TurnMemory {
  /** The system prompt the tape has last; undefined: not known. */
  system: string | undefined;
  /** Id of the last entry of the last step. */
  lastId: number;
}

export interface StepInput {
  /** 1 for the first step of a turn. */
  readonly step: number;
  /** Messages of this step that are not on the tape yet: the prompt, and what steered the turn. */
  readonly prompts: readonly UserMessage[];
  /** The prompt of the turn, which may have to be said again. */
  readonly turnPrompt: UserMessage;
  /** Whether a context that is too long may be handed off: once a turn. */
  readonly mayHandOff: boolean;
  readonly system: string;
  readonly memory: TurnMemory;
  readonly specs: readonly ToolSpec[];
  /** What says on the tape which results among the prompts are read by this step. */
  readonly reads: readonly EntryDraft[];
  /** Entries that come before the step's own, in the same write. */
  readonly opening: readonly EntryDraft[];
}

export interface StepOutcome {
  readonly status: "continue" | TurnStatus;
  readonly answer: Answer;
  readonly usage: Usage | null;
  /** Why the step failed; null while `status` is `continue` or `ok`. */
  readonly error: BubError | null;
  /** Whether the context was too long and has been handed off. */
  readonly handedOff: boolean;
}

/**
 * One model call and the tool calls it asks for. What happened is on the tape when this resolves,
 * whatever happened (TP4). Rejects only when the tape itself cannot be written.
 */
export async function runStep(input: StepInput, scope: TurnScope): Promise<StepOutcome> {
  const { step, system, memory } = input;
  const started = performance.now();
  const meta = { run_id: runId(new Date()) };
  scope.emit({ type: "step.start", step });
  // The context is read before the prompt is written, so that the two never overlap.
  const context = await readContext(scope);
  const prompts = heardPrompts(context, input.prompts, input.turnPrompt);
  const [opened] = await scope.tape.append(
    ...input.opening,
    eventEntry("loop.step.start", { step, prompt: promptText(prompts) }),
  );

  const asked = await askWithin(context, prompts, input, scope);
  const { answer, error, handedOff } = asked;
  const results = error === null && answer.calls.length > 0
    ? await runTools(answer.calls, { step, prompts: asked.prompts }, scope)
    : [];
  const ended = error ?? interruption(scope.signal, results);
  using keeper = new MediaKeeper(scope);
  const said = await recordPrompts(asked.prompts, meta, keeper);
  const recorded = await recordResults(results, meta, keeper);
  const run = turnStatus(ended, scope.signal);
  const status = run === "ok" && results.length > 0 ? "continue" : run;

  const elapsed_ms = Math.round(performance.now() - started);
  const hasSystem = memory.system === system && isAfter(opened, memory.lastId);
  const written = await scope.tape.append(
    ...(hasSystem ? [] : [systemEntry(system, meta)]),
    ...said,
    ...input.reads,
    ...answerEntries(answer, recorded, ended, meta),
    runEvent(answer, run, meta),
    eventEntry("loop.step", { step, elapsed_ms, status }),
  );
  memory.system = hasSystem && !isAfter(written[0], opened?.id ?? 0) ? undefined : system;
  memory.lastId = written.at(-1)?.id ?? 0;
  scope.emit({ type: "step.end", step, status, elapsed_ms, usage: answer.usage });
  return { status, answer, usage: answer.usage, error: ended, handedOff };
}

function readContext({ turnHooks, tape }: TurnScope): Promise<readonly ChatMessage[]> {
  return turnHooks?.context(tape) ?? tape.context();
}

/** False for an entry whose tape was reset since the one numbered `id` was written. */
function isAfter(entry: TapeEntry | undefined, id: number): boolean {
  return entry !== undefined && entry.id > id;
}

/** What came of a step's model call. */
interface Asked {
  readonly answer: Answer;
  /** Why the answer is not whole. */
  readonly error: BubError | null;
  /** The prompts it answers. */
  readonly prompts: readonly UserMessage[];
  readonly handedOff: boolean;
}

/** Calls the model; once more with a new context when it cannot take in the one there is (TP11). */
async function askWithin(
  context: readonly ChatMessage[],
  prompts: readonly UserMessage[],
  input: StepInput,
  scope: TurnScope,
): Promise<Asked> {
  const answer = emptyAnswer(scope.model.id);
  const error = await ask([...context, ...prompts], answer, input, scope);
  if (error?.kind !== "context_overflow") return { answer, error, prompts, handedOff: false };
  if (!input.mayHandOff) {
    return { answer, error: stillOverflowing(error), prompts, handedOff: false };
  }
  await handOffOverflow(scope.tape, error);
  const reason = "the context was too long for the model and starts anew";
  scope.emit({ type: "retry", step: input.step, attempt: 2, delay_ms: 0, reason });
  const shorter = await readContext(scope);
  const again = await askWithin(
    shorter,
    heardPrompts(shorter, prompts, input.turnPrompt),
    { ...input, mayHandOff: false },
    scope,
  );
  return { ...again, handedOff: true };
}

/** What runs tools is loaded after the first request has left, not before. */
async function runTools(...args: Parameters<typeof runToolBatch>): Promise<readonly ToolResult[]> {
  const batch: typeof import("./tool_batch.ts") = await import(TOOL_BATCH);
  return await batch.runToolBatch(...args);
}

/** Calls the model; the answer is what came of it, the error why it is not whole. */
async function ask(
  messages: readonly ChatMessage[],
  answer: Answer,
  { step, system, specs }: StepInput,
  scope: TurnScope,
): Promise<BubError | null> {
  const { sessionId, sessionNumber, maxTokens, reasoningEffort, signal, tools, sandbox } = scope;
  try {
    signal.throwIfAborted();
    using _ahead = tools.codeMode ? alarm(PREPARE_MS, () => sandbox.prepare()) : undefined;
    await callModel(
      { sessionId, sessionNumber, system, messages, tools: specs, maxTokens, reasoningEffort },
      answer,
      step,
      scope,
    );
    return null;
  } catch (thrown) {
    return signal.aborted ? abortError(signal) : toBubError(thrown);
  }
}

/** What the step leaves on the tape between its prompts and its `run` event. */
function answerEntries(
  answer: Answer,
  results: EntryDraft | null,
  ended: BubError | null,
  meta: JsonObject,
): readonly EntryDraft[] {
  const extra = answer.reasoning.length > 0 ? { reasoning: answer.reasoning } : {};
  if (results !== null) {
    const said = answer.text === "" ? extra : { content: answer.text, ...extra };
    return [toolCallEntry(answer.calls, meta, said), results];
  }
  if (ended === null) {
    return [messageEntry({ role: "assistant", content: answer.text, ...extra }, meta)];
  }
  const report = ended.report();
  // Half an answer is kept for people, outside the context: it must not pass for a whole one.
  const details = answer.text === "" ? report.details : { ...report.details, partial: answer.text };
  return [errorEntry(details === undefined ? report : { ...report, details }, meta)];
}

function runEvent(answer: Answer, status: TurnStatus, meta: JsonObject): EntryDraft {
  const [provider] = answer.model.split(":", 1);
  return eventEntry("run", {
    status,
    model: answer.model,
    provider,
    ...(answer.usage === null ? {} : { usage: answer.usage }),
  }, meta);
}

/** Calls that ran into the end of the turn end the step too; those that finished count. */
function interruption(signal: AbortSignal, results: readonly ToolResult[]): BubError | null {
  return signal.aborted && results.length > 0 ? abortError(signal) : null;
}

/** Why `signal` was aborted, as an error; `at` is what that cut short, whose details are kept. */
export function abortError({ reason }: AbortSignal, at?: BubError): BubError {
  const options = { cause: reason, details: at?.details };
  if (reason instanceof BubError) {
    return at?.details === undefined ? reason : new BubError(reason.kind, reason.message, options);
  }
  return reason instanceof DOMException && reason.name === "TimeoutError"
    ? new BubError("timeout", "the time limit of the turn is reached", options)
    : new BubError("interrupted", "the turn was interrupted", options);
}

/**
 * How a turn ends that ends with this error. Only its own signal makes it a timeout or an
 * interruption: a tool or a model call that ran out of time is an error like others.
 */
export function turnStatus(error: BubError | null, signal: AbortSignal): TurnStatus {
  if (error === null) return "ok";
  if (!signal.aborted) return "error";
  return abortError(signal).kind === "timeout" ? "timeout" : "interrupted";
}

/** The words of prompts; media by their labels. */
export function promptText(prompts: readonly UserMessage[]): string {
  return prompts.map(({ content }) =>
    typeof content === "string" ? content : content.map(partText).join("\n")
  ).join("\n\n");
}

function partText(part: ContentPart): string {
  return part.type === "text" ? part.text : `[${part.label ?? part.mediaType}]`;
}

/** `run-20261201T101112131000Z`: the form of Python Bub, sortable by time. */
function runId(now: Date): string {
  return `run-${now.toISOString().replaceAll(/[-:.Z]/g, "")}000Z`;
}
