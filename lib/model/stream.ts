import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { ToolCall } from "../tape/entry.ts";
import { usageOf } from "./estimate.ts";
import type { FinishReason, ModelEvent, ModelRequest, ReasoningPart } from "./model.ts";
import { errorIn } from "./refusal.ts";
import { type Said, ThinkTag } from "./think_tag.ts";

export interface ReadOptions {
  readonly request: ModelRequest;
  /** Called with every piece of the answer. */
  readonly progress: () => void;
  /** Whether `<think>` in front of an answer is taken for reasoning. */
  readonly thinkTag: boolean;
  /** Whether the provider wants back what it says of a call, such as a signature. */
  readonly callMetadata: boolean;
}

/** Parts that come before the model has said anything. */
const PREAMBLE: ReadonlySet<LanguageModelV4StreamPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "ping",
  "raw",
]);

/**
 * An adapter's stream as events of ours. Calls come out only when the answer is whole, so that
 * half an answer never acts. Throws what the stream carries as an error; an answer without its
 * end is a `connection` error, since the rest may come the next time.
 */
export async function* readAnswer(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  { request, progress, thinkTag, callMetadata }: ReadOptions,
): AsyncGenerator<ModelEvent> {
  const tag = thinkTag ? new ThinkTag() : undefined;
  const reasoning = new ReasoningParts();
  const calls: ToolCall[] = [];
  let written = "";
  const say = function* (pieces: readonly Said[]): Generator<ModelEvent> {
    for (const { type, text } of pieces) {
      written += text;
      if (type === "reasoning") reasoning.append("think", text);
      yield { type, text };
    }
  };

  let end: FinishPart | undefined;
  for await (const part of untilFinished(parts)) {
    if (!PREAMBLE.has(part.type)) progress();
    switch (part.type) {
      case "text-delta":
        if (part.delta === "") break;
        yield* say(tag?.push(part.delta) ?? [{ type: "text", text: part.delta }]);
        break;
      case "reasoning-start":
      case "reasoning-end":
        reasoning.describe(part.id, part.providerMetadata);
        break;
      case "reasoning-delta":
        reasoning.describe(part.id, part.providerMetadata);
        if (part.delta === "") break;
        reasoning.append(part.id, part.delta);
        written += part.delta;
        yield { type: "reasoning", text: part.delta };
        break;
      case "tool-call":
        calls.push(toolCall(part, callMetadata));
        break;
      case "error":
        if (isStrayChunk(part.error)) break;
        throw part.error;
      case "finish":
        end = part;
        break;
      default:
        break;
    }
  }
  if (end === undefined) throw brokenOff();
  assertEnded(end.finishReason);
  yield* say(tag?.end() ?? []);
  for (const call of calls) {
    written += call.function.name + call.function.arguments;
    yield { type: "tool_call", call };
  }
  yield {
    type: "finish",
    reason: finishReason(end.finishReason, calls.length),
    rawReason: end.finishReason.raw,
    usage: usageOf(end.usage, { request, written }),
    reasoning: reasoning.list(),
  };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/**
 * All parts. The stream is read to its end, which lets the connection be used again, but what goes
 * wrong behind the end of the answer does not matter any more.
 */
async function* untilFinished(
  parts: ReadableStream<LanguageModelV4StreamPart>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  let finished = false;
  try {
    for await (const part of parts) {
      finished ||= part.type === "finish";
      yield part;
    }
  } catch (thrown) {
    if (!finished) throw thrown;
  }
}

/** The reasoning of an answer, block by block. */
class ReasoningParts {
  readonly #blocks = new Map<string, { text: string; metadata: SharedV4ProviderMetadata }>();

  append(id: string, text: string): void {
    this.#block(id).text += text;
  }

  /** Adds what the provider says of a block: a signature comes with its last piece. */
  describe(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = this.#block(id);
    for (const [provider, fields] of Object.entries(metadata ?? {})) {
      block.metadata[provider] = { ...block.metadata[provider], ...fields };
    }
  }

  list(): readonly ReasoningPart[] {
    return [...this.#blocks.values()].flatMap(({ text, metadata }) => {
      if (Object.keys(metadata).length > 0) return [{ text, metadata: metadata as JsonObject }];
      return text === "" ? [] : [{ text }];
    });
  }

  #block(id: string): { text: string; metadata: SharedV4ProviderMetadata } {
    const known = this.#blocks.get(id);
    if (known !== undefined) return known;
    const block = { text: "", metadata: {} };
    this.#blocks.set(id, block);
    return block;
  }
}

/** A call as the tape keeps it. */
function toolCall(part: LanguageModelV4ToolCall, callMetadata: boolean): ToolCall {
  const { toolCallId, toolName, input, providerMetadata } = part;
  return {
    id: toolCallId,
    type: "function",
    // A tool without parameters is often called with no arguments at all.
    function: { name: toolName, arguments: input.trim() === "" ? "{}" : input },
    ...(callMetadata && providerMetadata !== undefined
      ? { metadata: providerMetadata as JsonObject }
      : {}),
  };
}

/** A chunk that is neither part of the answer nor an error, such as a server's own sign of life. */
function isStrayChunk(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "AI_TypeValidationError") return false;
  const value = (error as Error & { value?: unknown }).value;
  return isJsonObject(value) && value.choices === undefined && value.candidates === undefined &&
    value.type === undefined && errorIn(value) === undefined;
}

function assertEnded({ unified, raw }: LanguageModelV4FinishReason): void {
  if (unified === "interrupted" || (unified === "error" && raw === undefined)) throw brokenOff();
  // Reasons of OpenRouter and DeepSeek that mean the server gave up.
  if (unified === "error" || raw === "error" || raw === "insufficient_system_resource") {
    throw new BubError("server", `the model gave up in the middle of its answer (${raw})`);
  }
}

function brokenOff(): BubError {
  return new BubError("connection", "the answer broke off before its end");
}

function finishReason({ unified }: LanguageModelV4FinishReason, calls: number): FinishReason {
  switch (unified) {
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "stop":
    case "tool-calls":
      return calls > 0 ? "tool_calls" : "stop";
    default:
      return calls > 0 ? "tool_calls" : "other";
  }
}
