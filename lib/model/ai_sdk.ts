import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { toBubError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { connect, type LoadedAdapter } from "./adapter.ts";
import type { CallIdForm } from "./call_ids.ts";
import { parseEffort } from "./effort.ts";
import { type Asked, modelFailure } from "./failure.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { toPrompt } from "./prompt.ts";
import { Quirks } from "./quirks.ts";
import { ownError, readRefusal, refusalFromBody } from "./refusal.ts";
import { readAnswer } from "./stream.ts";
import { type CallLimits, Watchdog } from "./watchdog.ts";
import { Wire } from "./wire.ts";

/** Everything about one model behind one API base. */
export interface AiSdkModelOptions {
  readonly provider: string;
  readonly model: string;
  readonly adapter: LoadedAdapter;
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Merged into every request's body, over what is there. */
  readonly body: JsonObject;
  /** Added to the message of a failure that a proxy may have caused; may be empty. */
  readonly proxyNote: string;
  readonly limits: CallLimits;
  readonly callIds: CallIdForm;
  readonly returnsReasoning: boolean;
  readonly streamOptions: boolean;
  /** Whether the limit of the answer is called `max_completion_tokens`. */
  readonly completionTokens: boolean;
}

/** Talks to a provider through its AI SDK package. One try a call; see `withRetry`. */
export class AiSdkModel implements Model {
  readonly id: string;
  readonly #options: AiSdkModelOptions;
  readonly #asked: Asked;
  readonly #quirks: Quirks;
  readonly #wire: Wire;
  #connection: Promise<LanguageModelV4> | undefined;

  constructor(options: AiSdkModelOptions) {
    const { provider, model, apiKey, headers, query, adapter, body, proxyNote } = options;
    this.id = `${provider}:${model}`;
    this.#options = options;
    const keys = [apiKey ?? "", ...secretValues(headers), ...secretValues(query)];
    this.#asked = { provider, model, keys, proxyNote };
    this.#quirks = new Quirks(options);
    const extra = Object.keys(body).length > 0;
    this.#wire = new Wire({
      query,
      chat: adapter === "chat",
      notAStream: (_status, text) => {
        const refusal = refusalFromBody(undefined, text);
        const told = refusal.text === "" ? "an empty page" : refusal.text;
        return modelFailure({ ...refusal, text: told }, this.#asked);
      },
      edit: () => {
        const edit = adapter === "chat" ? this.#quirks.edit() : undefined;
        if (!extra) return edit;
        return (sent) => ({ ...(edit?.(sent) ?? sent), ...body });
      },
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let sent = request;
    for (let change = 0;; change++) {
      try {
        yield* this.#call(sent, signal);
        this.#quirks.accept(sent);
        return;
      } catch (thrown) {
        if (signal.aborted) throw toBubError(signal.reason, "interrupted");
        const own = ownError(thrown);
        if (own !== undefined) throw own;
        const refusal = readRefusal(thrown);
        const changed = this.#quirks.learn(refusal, sent, change);
        if (changed === undefined) throw modelFailure(refusal, this.#asked, thrown);
        sent = changed;
      }
    }
  }

  async *#call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { adapter, limits } = this.#options;
    const options = this.#callOptions(request);
    const model = await this.#connect();
    signal.throwIfAborted();
    using watchdog = new Watchdog(limits, signal);
    this.#wire.watch(watchdog);
    try {
      const { stream } = await model.doStream({ ...options, abortSignal: watchdog.signal });
      yield* readAnswer(stream, {
        request,
        progress: () => watchdog.progress(),
        thinkTag: adapter === "chat",
        // Responses are asked to keep nothing, so the ids of their items mean nothing later.
        callMetadata: adapter !== "responses",
      });
    } catch (thrown) {
      throw watchdog.failure ?? thrown;
    }
  }

  /** The connection is kept: a model costs more to make than to ask. */
  #connect(): Promise<LanguageModelV4> {
    const { adapter, model, baseURL, apiKey, headers } = this.#options;
    this.#connection ??= connect(adapter, {
      model,
      baseURL,
      apiKey,
      headers: { ...headers },
      fetch: this.#wire.fetch,
    }).catch((thrown) => {
      // The next request tries again: by then there may be a network.
      this.#connection = undefined;
      throw thrown;
    });
    return this.#connection;
  }

  #callOptions(request: ModelRequest): LanguageModelV4CallOptions {
    const { adapter, callIds } = this.#options;
    const { returnsReasoning, refusedMedia, longestAnswer } = this.#quirks;
    const { tools, maxTokens, reasoningEffort } = request;
    return {
      prompt: toPrompt(request, { adapter, callIds, returnsReasoning, refusedMedia }),
      maxOutputTokens: Math.min(maxTokens, longestAnswer),
      ...(reasoningEffort === undefined ? {} : { reasoning: parseEffort(reasoningEffort) }),
      ...(tools.length === 0 ? {} : {
        tools: tools.map(({ name, description, parameters }) => ({
          type: "function",
          name,
          description,
          inputSchema: parameters as LanguageModelV4ToolSchema,
        })),
      }),
      // What the provider keeps of a conversation is none of a tape's business.
      ...(adapter === "responses" ? { providerOptions: { openai: { store: false } } } : {}),
    };
  }
}

type LanguageModelV4ToolSchema = Extract<
  NonNullable<LanguageModelV4CallOptions["tools"]>[number],
  { type: "function" }
>["inputSchema"];

/** Values of headers and parameters that carry keys by their names. */
function secretValues(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    /auth|key|token|secret|cookie/i.test(name) ? [value, value.replace(/^\w+ /, "")] : []
  );
}
