import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { AssistantMessage, ChatMessage, ReasoningPart } from "../model/model.ts";
import { CallIds, pairCalls, type PairedCall, toolMessage, wireCall } from "./calls.ts";
import type { TapeEntry } from "./entry.ts";
import { contentParts, contentText } from "./content.ts";

/** Makes a context, the messages of a model request, of entries in recorded order. */
export type Selector = (entries: readonly TapeEntry[]) => readonly ChatMessage[];

/**
 * The default selector (TP5). What it makes no provider rejects for its form: every tool call is
 * followed by its result, in call order, under an id used once (B23, B26); blank messages are left
 * out (B32). Later steps leave the messages of earlier ones as they were, ids included, so that
 * providers can cache them.
 */
export function selectMessages(entries: readonly TapeEntry[]): readonly ChatMessage[] {
  const visible = entries.filter(({ meta }) => meta.context !== false);
  const results = pairCalls(visible);
  const ids = new CallIds();
  return visible.flatMap((entry): readonly ChatMessage[] => {
    switch (entry.kind) {
      case "message":
        return chatMessage(entry.payload);
      case "anchor":
        return [anchorMessage(entry.payload)];
      case "tool_call":
        return callMessages(entry.payload, results.get(entry) ?? [], ids);
      default:
        return [];
    }
  });
}

function chatMessage(payload: JsonObject): readonly ChatMessage[] {
  if (payload.role === "user") {
    const content = contentParts(payload.content);
    return content.length === 0 ? [] : [{ role: "user", content }];
  }
  if (payload.role !== "assistant") return [];
  const said = assistantMessage(payload);
  return said.content === "" ? [] : [said];
}

function anchorMessage({ name = "", state = {} }: JsonObject): AssistantMessage {
  return { role: "assistant", content: `[Anchor created: ${name}]: ${JSON.stringify(state)}` };
}

function callMessages(
  payload: JsonObject,
  paired: readonly PairedCall[],
  ids: CallIds,
): readonly ChatMessage[] {
  const said = assistantMessage(payload);
  if (paired.length === 0) return said.content === "" ? [] : [said];
  const sent = paired.map(({ call, result }) => ({ call: wireCall(call, ids), result }));
  return [
    { ...said, tool_calls: sent.map(({ call }) => call) },
    ...sent.map(({ call, result }) => toolMessage(call, result)),
  ];
}

function assistantMessage({ content, reasoning }: JsonObject): AssistantMessage {
  const message: AssistantMessage = { role: "assistant", content: contentText(content) };
  return Array.isArray(reasoning) && reasoning.length > 0
    ? { ...message, reasoning: reasoning.filter(isReasoningPart) }
    : message;
}

function isReasoningPart(value: JsonValue): value is ReasoningPart {
  return isJsonObject(value) && typeof value.text === "string";
}
