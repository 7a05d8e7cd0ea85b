import type { EventBody } from "../event.ts";
import type { FinishReason, Model, ModelRequest, ReasoningPart, Usage } from "../model/model.ts";
import type { ToolCall } from "../tape/entry.ts";

/** One model call, collected. */
export interface Answer {
  text: string;
  calls: readonly ToolCall[];
  reasoning: readonly ReasoningPart[];
  usage: Usage | null;
  finish: FinishReason;
  rawFinish: string | undefined;
  /** The model that answered: another one than asked after a fallback. */
  model: string;
}

/** What a step listens with. */
type Emit = (event: EventBody) => void;

/**
 * Calls the model, hands its words on as they come, and keeps them in `answer`, which so holds
 * what there is even when the call fails half-way.
 */
export async function collectAnswer(
  model: Model,
  request: ModelRequest,
  answer: Answer,
  options: { readonly step: number; readonly signal: AbortSignal; readonly emit: Emit },
): Promise<void> {
  const { step, signal, emit } = options;
  const calls: ToolCall[] = [];
  answer.calls = calls;
  for await (const event of model.stream(request, signal)) {
    switch (event.type) {
      case "text":
        answer.text += event.text;
        emit({ type: "text", step, text: event.text });
        break;
      case "reasoning":
        emit({ type: "reasoning", step, text: event.text });
        break;
      case "tool_call":
        calls.push(event.call);
        break;
      case "retry":
        answer.text = "";
        calls.length = 0;
        emit({
          type: "retry",
          step,
          attempt: event.attempt,
          delay_ms: event.delayMs,
          reason: event.reason,
        });
        break;
      case "fallback":
        answer.text = "";
        calls.length = 0;
        answer.model = event.model;
        emit({ type: "fallback", step, model: event.model, reason: event.reason });
        break;
      case "finish":
        answer.finish = event.reason;
        answer.rawFinish = event.rawReason;
        answer.usage = event.usage ?? null;
        answer.reasoning = event.reasoning ?? [];
        break;
    }
  }
}

/** An answer of which nothing has come yet. */
export function emptyAnswer(model: string): Answer {
  return {
    text: "",
    calls: [],
    reasoning: [],
    usage: null,
    finish: "other",
    rawFinish: undefined,
    model,
  };
}
