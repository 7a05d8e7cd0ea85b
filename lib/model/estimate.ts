import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelRequest, Usage } from "./model.ts";

/** Characters a token stands for where nothing better is known. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens a piece of media stands for; its base64 text says nothing about them. */
const TOKENS_PER_MEDIA = 1000;

/** Tokens that `text` comes to, roughly. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Tokens that a request comes to, roughly. */
export function estimateRequestTokens({ system, messages, tools }: ModelRequest): number {
  let media = 0;
  const text = JSON.stringify([system, messages, tools], (key, value) => {
    if (key !== "data" || typeof value !== "string") return value;
    media++;
    return undefined;
  });
  return estimateTokens(text) + media * TOKENS_PER_MEDIA;
}

/** What of an answer took tokens: its text, reasoning and calls. */
export interface AnswerLengths {
  readonly request: ModelRequest;
  /** Everything the model wrote. */
  readonly written: string;
}

/**
 * The usage as the provider told it. Figures that are missing or zero where something was sent or
 * written are replaced by estimates, and the whole is then marked as one.
 */
export function usageOf(told: LanguageModelV4Usage | undefined, lengths: AnswerLengths): Usage {
  const prompt = told?.inputTokens.total ?? 0;
  const completion = told?.outputTokens.total ?? 0;
  const cached = told?.inputTokens.cacheRead ?? 0;
  const knowsPrompt = prompt > 0;
  const knowsCompletion = completion > 0 || (knowsPrompt && lengths.written === "");
  const promptTokens = knowsPrompt ? prompt : estimateRequestTokens(lengths.request);
  const completionTokens = knowsCompletion ? completion : estimateTokens(lengths.written);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached },
    ...(knowsPrompt && knowsCompletion ? {} : { estimated: true as const }),
  };
}
