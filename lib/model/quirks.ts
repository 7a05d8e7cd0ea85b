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
  /** Media, by `mediaKey`, that are left out from now on. */
  readonly refusedMedia = new Set<string>();
  readonly #acceptedMedia = new Set<string>();
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

  /** Remembers which media an answered request had: what is refused later is not their fault. */
  accept(request: ModelRequest): void {
    for (const key of mediaOf(request).map(mediaKey)) {
      if (!this.refusedMedia.has(key)) this.#acceptedMedia.add(key);
    }
  }

  /**
   * Learns from a refusal. Returns the request to send instead, or undefined when nothing can be
   * done about it.
   */
  learn(refusal: Refusal, request: ModelRequest, change: number): ModelRequest | undefined {
    if (change >= MOST_CHANGES) return undefined;
    const { status, text } = refusal;
    const words = text.toLowerCase();
    if (status === 400 || status === 413 || status === 422) {
      const changed = this.#learnField(words, request) ?? this.#learnLimit(text, request);
      if (changed !== undefined) return changed;
    }
    return isAboutMedia(status, words) && this.#refuseMedia(request) ? request : undefined;
  }

  #learnField(words: string, request: ModelRequest): ModelRequest | undefined {
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
    return undefined;
  }

  #learnLimit(text: string, request: ModelRequest): ModelRequest | undefined {
    const limit = answerLimit(text, Math.min(request.maxTokens, this.longestAnswer));
    if (limit === undefined) return undefined;
    if (limit.lasting) this.longestAnswer = limit.tokens;
    return { ...request, maxTokens: limit.tokens };
  }

  #once(name: string): boolean {
    if (this.#learnt.has(name)) return false;
    this.#learnt.add(name);
    return true;
  }

  /**
   * Media that a provider refuses would be refused in every later request too. Those it has taken
   * before go only when there is no other.
   */
  #refuseMedia(request: ModelRequest): boolean {
    const sent = mediaOf(request).map(mediaKey).filter((key) => !this.refusedMedia.has(key));
    const fresh = sent.filter((key) => !this.#acceptedMedia.has(key));
    for (const key of fresh.length > 0 ? fresh : sent) this.refusedMedia.add(key);
    return sent.length > 0;
  }
}

/** Whether a refusal may be one of media, by what servers of all kinds say then. */
function isAboutMedia(status: number | undefined, words: string): boolean {
  switch (status) {
    case 400:
    case 422:
      return /image|media|audio|video|attachment|file|base64|vision|modal|\bpdf\b|content part/
        .test(words) ||
        // Where only text is known, the list of parts is what is wrong.
        /(?:expected|must be|should be|valid) (?:a )?(?:valid )?string/.test(words);
    case 413:
    case 415:
      return true;
    // Routers find no model that would take it; llama.cpp lacks a part of its own.
    case 404:
    case 500:
      return /(?:image|audio|video|vision|multimodal|media)\b.*support|support.*\b(?:image|audio|video|vision|multimodal|media)/
        .test(words);
    default:
      return false;
  }
}
