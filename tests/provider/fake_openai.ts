/**
 * A fake server for OpenAI's Chat Completions (streamed), for tests and benches.
 *
 * ```ts
 * await using server = startFakeOpenAI({
 *   script: [
 *     { calls: [{ name: "bash", arguments: { command: "ls" } }] },
 *     { text: ["Two ", "files."], usage: { prompt_tokens: 20, completion_tokens: 5 } },
 *     { status: 429, headers: { "retry-after": "2" }, body: { error: { message: "slow down" } } },
 *     { text: "half", end: "cut" },
 *     { framing: { cut: "byte", newline: "\r\n", noise: true }, text: "hi" },
 *   ],
 *   strict: { calls: true, reasoning: "required" },
 * });
 * // BUB_MODEL=openai:test BUB_API_BASE=server.base; then look at server.requests[0].body
 * ```
 *
 * `script` is a list of answers, used up one by one, or a function of the request; see `Answer` for
 * what an answer can do, and `FakeProvider` for what the server tells. `strict` makes it refuse
 * (status 400) what strict servers refuse; refused requests use up no answer. As a process of its
 * own: `server.ts`.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { isJsonObject } from "../../lib/json.ts";
import { type Answer, argumentsOf, cutText, piecesOf } from "./answer.ts";
import type { StreamEvent } from "./event_stream.ts";
import {
  type Dialect,
  type FakeProvider,
  type FakeProviderOptions,
  startProvider,
} from "./fake_provider.ts";

/** What the server refuses; nothing by default. */
export interface OpenAIStrictness {
  /** Calls without a result right behind them, results without a call, and reused call ids. */
  readonly calls?: boolean;
  /** Arguments that are not the text of a JSON object. */
  readonly arguments?: boolean;
  /** Messages without content and calls. */
  readonly blank?: boolean;
  /** `reasoning_content` beside calls: missing (`required`) or there at all (`refused`). */
  readonly reasoning?: "required" | "refused";
  /** Fields of the body that the server does not know, such as `stream_options`. */
  readonly unknownFields?: readonly string[];
  /** The longest answer, as servers word it that limit it. */
  readonly maxTokens?: number;
  /** Images. */
  readonly images?: boolean;
}

export interface FakeOpenAIOptions extends FakeProviderOptions {
  readonly strict?: OpenAIStrictness;
}

/** Starts the server. */
export function startFakeOpenAI({ strict = {}, ...options }: FakeOpenAIOptions): FakeProvider {
  return startProvider(options, dialect(strict));
}

function dialect(strict: OpenAIStrictness): Dialect {
  let calls = 0;
  return {
    events: (answer, { body }) => {
      const model = typeof body.model === "string" ? body.model : "";
      return chatEvents(answer, model, () => `call_${++calls}`);
    },
    objection: ({ body }) => objection(body, strict),
    refusal: (message) => ({
      error: { message, type: "invalid_request_error", param: null, code: null },
    }),
  };
}

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60 },
};

function chatEvents(
  answer: Answer,
  model: string,
  nextId: () => string,
): readonly StreamEvent[] {
  const { usage = USAGE, reasoningField = "reasoning_content", done = true } = answer;
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model };
  const nullUsage = usage === null ? { usage: null } : {};
  const events: StreamEvent[] = [];
  const send = (value: JsonValue) => void events.push({ data: JSON.stringify(value) });
  const delta = (fields: JsonObject, finish: string | null = null) =>
    send({ ...base, choices: [{ index: 0, delta: fields, finish_reason: finish }], ...nullUsage });

  if (Object.keys(answer).some((key) => ["text", "reasoning", "calls"].includes(key))) {
    delta({ role: "assistant", content: "" });
  }
  for (const text of piecesOf(answer.reasoning)) delta({ [reasoningField]: text });
  for (const content of piecesOf(answer.text)) delta({ content });
  for (const [index, call] of (answer.calls ?? []).entries()) {
    const args = argumentsOf(call);
    const whole = call.pieces === 1 && args !== undefined ? { arguments: args } : {};
    const empty = args === undefined ? {} : { arguments: "" };
    delta({
      tool_calls: [{
        index,
        id: call.id ?? nextId(),
        type: "function",
        function: {
          name: call.name,
          ...(call.arguments === null ? { arguments: null } : empty),
          ...whole,
        },
      }],
    });
    if (args === undefined || call.pieces === 1) continue;
    for (const piece of cutText(args, call.pieces ?? 2)) {
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  for (const data of answer.data ?? []) events.push({ data });
  if (answer.error !== undefined) send({ error: answer.error });
  const cut = answer.end !== undefined || answer.error !== undefined;
  const finish = answer.finish ??
    (answer.finish === null || cut ? null : answer.calls?.length ? "tool_calls" : "stop");
  if (finish !== null) delta({}, finish);
  if (finish !== null && usage !== null && usage !== "none") {
    send({ ...base, choices: [], usage });
  }
  if (done && answer.end === undefined) events.push({ data: "[DONE]" });
  return events;
}

function objection(body: JsonObject, strict: OpenAIStrictness): string | undefined {
  const unknown = strict.unknownFields?.find((field) => body[field] !== undefined);
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  const asked = Number(body.max_tokens ?? body.max_completion_tokens ?? 0);
  if (strict.maxTokens !== undefined && asked > strict.maxTokens) {
    return `max_tokens is too large: ${asked}. This model supports at most ${strict.maxTokens} completion tokens, whereas you provided ${asked}.`;
  }
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
  if (strict.images && JSON.stringify(messages).includes('"image_url"')) {
    return "Invalid image: the image data is not supported";
  }
  return messages.map((message) => messageObjection(message, strict)).find(Boolean) ??
    (strict.calls ? callObjection(messages) : undefined);
}

function messageObjection(message: JsonObject, strict: OpenAIStrictness): string | undefined {
  const { role, content, reasoning_content: reasoning } = message;
  const calls = callsOf(message);
  if (strict.reasoning === "refused" && reasoning !== undefined) {
    return "property 'reasoning_content' is unsupported";
  }
  if (strict.reasoning === "required" && calls.length > 0 && reasoning === undefined) {
    return "thinking is enabled but reasoning_content is missing in an assistant message with tool calls";
  }
  const isEmpty = typeof content === "string" ? content.trim() === "" : content === null;
  if (strict.blank && isEmpty && calls.length === 0) return `${String(role)} message is empty`;
  if (!strict.arguments) return undefined;
  const bad = calls.find(({ function: named }) =>
    !isJsonObject(named) || !isObjectText(named.arguments)
  );
  return bad === undefined ? undefined : `arguments of ${String(bad.id)} are not a JSON object`;
}

function callObjection(messages: readonly JsonObject[]): string | undefined {
  const used = new Set<JsonValue | undefined>();
  const open = new Set<JsonValue | undefined>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.delete(message.tool_call_id)) continue;
      return `tool message for ${String(message.tool_call_id)} follows no call`;
    }
    if (open.size > 0) return `tool calls without results: ${[...open].join(", ")}`;
    for (const { id } of callsOf(message)) {
      if (id === "" || used.has(id)) return `call id ${JSON.stringify(id)} is used twice`;
      used.add(id);
      open.add(id);
    }
  }
  return open.size > 0 ? `tool calls without results: ${[...open].join(", ")}` : undefined;
}

function callsOf({ tool_calls: calls }: JsonObject): readonly JsonObject[] {
  return Array.isArray(calls) ? calls.filter(isJsonObject) : [];
}

function isObjectText(text: JsonValue | undefined): boolean {
  try {
    return typeof text === "string" && isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
