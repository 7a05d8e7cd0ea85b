import type { JsonObject } from "../json.ts";
import type { ToolCall } from "../tape/entry.ts";

/** Media in a message: the bytes in base64, or an address that only the provider opens. */
export type MediaPart =
  & {
    readonly type: "media";
    readonly mediaType: string;
    /** One line for people; a provider is sent it only in place of what it does not take. */
    readonly label?: string;
  }
  & ({ readonly data: string } | { readonly url: string });

/** A piece of a user message or of a tool's result. */
export type ContentPart = { readonly type: "text"; readonly text: string } | MediaPart;

/** Reasoning that came with an answer and that some providers want back, byte for byte. */
export interface ReasoningPart extends JsonObject {
  readonly text: string;
  /** The provider's own data, such as a signature; opaque. */
  readonly metadata?: JsonObject;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly reasoning?: readonly ReasoningPart[];
}

export interface ToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string | readonly ContentPart[];
  readonly is_error?: boolean;
}

/** One message of a request, in the form of OpenAI's API as the tape keeps it. */
export type ChatMessage = UserMessage | AssistantMessage | ToolMessage;

/** What a model is told of a tool; the name is the model alias (`fs_read`). */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

export interface ModelRequest {
  /** Which session asks: `replay:` and `--record` keep sessions apart. */
  readonly sessionId: string;
  /**
   * The session's number by its start in this process, 0 for the first. With it recordings do not
   * depend on which of several subagents asks first; without it sessions count as they first ask.
   */
  readonly sessionNumber?: number | undefined;
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** Tokens of this one answer. */
  readonly maxTokens: number;
  readonly reasoningEffort?: string | undefined;
}

/** Tokens, in the field names of OpenAI's API, as the `run` event records them. */
export interface Usage extends JsonObject {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  /** The provider sent no figures; these are estimated from lengths, 4 characters a token. */
  readonly estimated?: true;
}

export const FINISH_REASONS = ["stop", "tool_calls", "length", "content_filter", "other"] as const;
export type FinishReason = typeof FINISH_REASONS[number];

/** What a model says, as it comes. `finish` is the last one; a stream that fails throws instead. */
export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A complete call. Its arguments are the raw text, not yet checked. */
  | { readonly type: "tool_call"; readonly call: ToolCall }
  /**
   * What was streamed so far is void: the request is sent again after `delayMs`. `attempt` is the
   * number of the attempt to come, 2 for the first retry.
   */
  | {
    readonly type: "retry";
    readonly attempt: number;
    readonly delayMs: number;
    readonly reason: string;
  }
  /** The model that answers has changed: a fallback. What was streamed so far is void. */
  | { readonly type: "fallback"; readonly model: string; readonly reason: string }
  | {
    readonly type: "finish";
    readonly reason: FinishReason;
    /** The provider's own word for the reason. */
    readonly rawReason?: string | undefined;
    readonly usage?: Usage | undefined;
    readonly reasoning?: readonly ReasoningPart[] | undefined;
  };

/**
 * A language model. `stream` throws a `BubError` whose kind says what to do: `rate_limit`,
 * `server` and `connection` may be tried again, `context_overflow` after a handoff, others not.
 */
export interface Model {
  /** `provider:model`. */
  readonly id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
