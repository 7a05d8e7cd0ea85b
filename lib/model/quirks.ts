import { answerLimit } from "./answer_limit.ts";
import { mediaKey, mediaOf } from "./media.ts";
import type { ModelRequest } from "./model.ts";
import type { Refusal } from "./refusal.ts";
import type { BodyEdit } from "./wire.ts";

export interface QuirksStart {
  readonly streamOptions: boolean;
  readonly returnsReasoning: boolean;
  readonly completionTokens: boolean;
}

/** How often one request may be changed and sent again. */
const MOST_CHANGES = 4;

/**
 * What a server turned out to accept: the API of OpenAI has many dialects, and a refusal usually
 * names the field it is about. Kept for as long as the model is.
 */
export class Quirks {
  /** Whether usage is asked for with `stream_options`. */
  streamOptions: boolean;
  /** Whether `reasoning_content` goes back with the calls it led to. */
  returnsReasoning: boolean;
  /** Whether the limit of the answer is called `max_completion_tokens`. */
  completionTokens: boolean;
  /** The longest answer the model gives. */
  longestAnswer = Infinity;
  readonly refusedMedia = new Set<string>();
  readonly #learnt = new Set<string>();

  constructor(start: QuirksStart) {
    this.streamOptions = start.streamOptions;
    this.returnsReasoning = start.returnsReasoning;
    this.completionTokens = start.completionTokens;
  }

  /** The change of the body that the adapters cannot make. */
  edit(): BodyEdit | undefined {
    if (this.streamOptions && !this.completionTokens) return undefined;
    return ({ stream_options, max_tokens, ...body }) => ({
      ...body,
      ...(this.streamOptions && stream_options !== undefined ? { stream_options } : {}),
      ...(max_tokens === undefined
        ? {}
        : { [this.completionTokens ? "max_completion_tokens" : "max_tokens"]: max_tokens }),
    });
  }

  /**
   * Learns from a refusal. Returns the request to send instead, or undefined when nothing can be
   * done about it.
   */
  learn(refusal: Refusal, request: ModelRequest, change: number): ModelRequest | undefined {
    const { status, text } = refusal;
    if (change >= MOST_CHANGES || (status !== 400 && status !== 413 && status !== 422)) {
      return undefined;
    }
    const words = text.toLowerCase();
    if (words.includes("stream_options") && this.streamOptions) {
      this.streamOptions = false;
      return request;
    }
    if (words.includes("max_completion_tokens") && this.#once("max_completion_tokens")) {
      this.completionTokens = true;
      return request;
    }
    if (words.includes("reasoning_content") && this.#once("reasoning_content")) {
      this.returnsReasoning = !this.returnsReasoning;
      return request;
    }
    const limit = answerLimit(text, Math.min(request.maxTokens, this.longestAnswer));
    if (limit !== undefined) {
      if (limit.lasting) this.longestAnswer = limit.tokens;
      return { ...request, maxTokens: limit.tokens };
    }
    return this.#refuseMedia(words, request) ? request : undefined;
  }

  #once(name: string): boolean {
    if (this.#learnt.has(name)) return false;
    this.#learnt.add(name);
    return true;
  }

  /** Media that a provider refuses would be refused in every later request too. */
  #refuseMedia(words: string, request: ModelRequest): boolean {
    if (!/image|media|audio|video|attachment|file_data|base64|vision/.test(words)) return false;
    const keys = mediaOf(request).map(mediaKey).filter((key) => !this.refusedMedia.has(key));
    for (const key of keys) this.refusedMedia.add(key);
    return keys.length > 0;
  }
}
