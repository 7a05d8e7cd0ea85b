/**
 * A fake server for Anthropic's Messages (streamed). Used like `fake_openai.ts`: the same script,
 * the same answers; `reasoning` with `signature` becomes a signed thinking block.
 *
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { type Answer, argumentsOf, cutText, piecesOf } from "./answer.ts";
import type { StreamEvent } from "./event_stream.ts";
import {
  type Dialect,
  type FakeProvider,
  type FakeProviderOptions,
  startProvider,
} from "./fake_provider.ts";

/** What the server refuses; nothing by default. */
export interface AnthropicStrictness {
  /** `tool_use` without a `tool_result` in the next message, and the other way round. */
  readonly calls?: boolean;
  /** Text blocks that are blank, and messages without any block. */
  readonly blank?: boolean;
  /** Messages that do not start with the user's or do not alternate. */
  readonly order?: boolean;
  /** A first block beside `tool_use` that is not exactly this thinking block. */
  readonly thinking?: { readonly thinking: string; readonly signature: string };
}

export interface FakeAnthropicOptions extends FakeProviderOptions {
  readonly strict?: AnthropicStrictness;
}

/** Starts the server. */
export function startFakeAnthropic(
  { strict = {}, ...options }: FakeAnthropicOptions,
): FakeProvider {
  return startProvider(options, dialect(strict));
}

function dialect(strict: AnthropicStrictness): Dialect {
  let calls = 0;
  return {
    events: (answer, { body }) =>
      messageEvents(answer, String(body.model), () => `toolu_${++calls}`),
    objection: ({ body }) => objection(body, strict),
    refusal: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
  };
}

const USAGE = { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 20 };

function messageEvents(
  answer: Answer,
  model: string,
  nextId: () => string,
): readonly StreamEvent[] {
  const { usage = USAGE, done = true } = answer;
  const figures: JsonObject = isJsonObject(usage) ? usage : { input_tokens: 0, output_tokens: 0 };
  const events: StreamEvent[] = [];
  const send = (type: string, fields: JsonObject) =>
    void events.push({ name: type, data: JSON.stringify({ type, ...fields }) });
  let index = 0;
  const block = (content: JsonObject, deltas: readonly JsonObject[]) => {
    send("content_block_start", { index, content_block: content });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
    index++;
  };

  send("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...figures, output_tokens: 1 },
    },
  });
  send("ping", {});
  if (answer.reasoning !== undefined) {
    const thinking = piecesOf(answer.reasoning).map((text) => ({
      type: "thinking_delta",
      thinking: text,
    }));
    const { signature = "" } = answer;
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...thinking,
      { type: "signature_delta", signature },
    ]);
  }
  if (answer.text !== undefined) {
    block(
      { type: "text", text: "" },
      piecesOf(answer.text).map((text) => ({ type: "text_delta", text })),
    );
  }
  for (const call of answer.calls ?? []) {
    const args = argumentsOf(call);
    block(
      { type: "tool_use", id: call.id ?? nextId(), name: call.name, input: {} },
      args === undefined ? [] : cutText(args, call.pieces ?? 2).map((piece) => ({
        type: "input_json_delta",
        partial_json: piece,
      })),
    );
  }
  for (const data of answer.data ?? []) events.push({ data });
  if (answer.error !== undefined) {
    send("error", { error: answer.error });
    return events;
  }
  const finish = answer.finish ??
    (answer.finish === null || answer.end !== undefined
      ? null
      : answer.calls?.length
      ? "tool_use"
      : "end_turn");
  if (finish !== null) {
    send("message_delta", {
      delta: { stop_reason: finish, stop_sequence: null },
      usage: { output_tokens: figures.output_tokens ?? 0 },
    });
    if (done) send("message_stop", {});
  }
  return events;
}

function objection(body: JsonObject, strict: AnthropicStrictness): string | undefined {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
  if (strict.order && messages[0]?.role !== "user") return "first message must use the user role";
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message.content);
    if (strict.order && index > 0 && messages[index - 1]?.role === message.role) {
      return `messages.${index}: roles must alternate`;
    }
    if (strict.blank) {
      if (blocks.length === 0) return `messages.${index}: content must not be empty`;
      if (blocks.some(isBlankText)) return "text content blocks must contain non-whitespace text";
    }
    if (strict.thinking !== undefined && blocks.some(({ type }) => type === "tool_use")) {
      const [first] = blocks;
      const { thinking, signature } = strict.thinking;
      if (first?.thinking !== thinking || first?.signature !== signature) {
        return `messages.${index}: expected the thinking block as it was sent`;
      }
    }
    const pairs = strict.calls ? pairObjection(message, messages[index + 1], index) : undefined;
    if (pairs !== undefined) return pairs;
  }
  return undefined;
}

function pairObjection(
  message: JsonObject,
  next: JsonObject | undefined,
  index: number,
): string | undefined {
  const used = idsOf(message.content, "tool_use", "id");
  const answered = idsOf(next?.content, "tool_result", "tool_use_id");
  if (new Set(used).size < used.length) return `messages.${index}: tool_use ids must be unique`;
  if (used.some((id) => typeof id !== "string" || !/^[a-zA-Z0-9_-]+$/.test(id))) {
    return `messages.${index}: tool_use.id must match ^[a-zA-Z0-9_-]+$`;
  }
  if (message.role === "assistant" && used.join() !== answered.join()) {
    return `messages.${index}: tool_use ids ${used.join()} were answered by ${answered.join()}`;
  }
  return undefined;
}

function idsOf(
  content: JsonValue | undefined,
  type: string,
  field: string,
): readonly (JsonValue | undefined)[] {
  return blocksOf(content).filter((block) => block.type === type).map((block) => block[field]);
}

function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** Blank text, also inside the result of a tool. */
function isBlankText(block: JsonObject): boolean {
  if (block.type === "tool_result") {
    const inner = blocksOf(block.content);
    return inner.length === 0 || inner.some(isBlankText);
  }
  return block.type === "text" && (typeof block.text !== "string" || block.text.trim() === "");
}
