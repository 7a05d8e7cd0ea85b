/**
 * A fake server for OpenAI's Responses (streamed). Used like `fake_openai.ts`: the same script, the
 * same answers; `reasoning` with `signature` becomes a reasoning item with encrypted content.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { type Answer, argumentsOf, cutText, piecesOf } from "./answer.ts";
import type { StreamEvent } from "./event_stream.ts";
import { type FakeProvider, type FakeProviderOptions, startProvider } from "./fake_provider.ts";

/** Starts the server. */
export function startFakeResponses(options: FakeProviderOptions): FakeProvider {
  let items = 0;
  return startProvider(options, {
    events: (answer, { body }) => responseEvents(answer, String(body.model), () => ++items),
    objection: () => undefined,
    refusal: (message) => ({ error: { message, type: "invalid_request_error", code: null } }),
  });
}

function responseEvents(
  answer: Answer,
  model: string,
  nextItem: () => number,
): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const send = (type: string, fields: JsonObject) =>
    void events.push({
      name: type,
      data: JSON.stringify({ type, sequence_number: events.length, ...fields }),
    });
  const response = { id: "resp_1", object: "response", created_at: 1_700_000_000, model };
  let output_index = 0;
  send("response.created", { response: { ...response, status: "in_progress" } });
  if (answer.reasoning !== undefined) {
    const id = `rs_${nextItem()}`;
    const item = { type: "reasoning", id, summary: [] };
    send("response.output_item.added", { output_index, item });
    const at = { item_id: id, output_index, summary_index: 0 };
    send("response.reasoning_summary_part.added", {
      ...at,
      part: { type: "summary_text", text: "" },
    });
    for (const delta of piecesOf(answer.reasoning)) {
      send("response.reasoning_summary_text.delta", { ...at, delta });
    }
    const done = { ...item, encrypted_content: answer.signature ?? null };
    send("response.output_item.done", { output_index: output_index++, item: done });
  }
  if (answer.text !== undefined) {
    const id = `msg_${nextItem()}`;
    const item = { type: "message", id, role: "assistant", content: [] };
    send("response.output_item.added", { output_index, item });
    for (const delta of piecesOf(answer.text)) {
      send("response.output_text.delta", { item_id: id, output_index, content_index: 0, delta });
    }
    send("response.output_item.done", { output_index: output_index++, item });
  }
  for (const call of answer.calls ?? []) {
    const id = `fc_${nextItem()}`;
    const args = argumentsOf(call) ?? "";
    const item = {
      type: "function_call",
      id,
      call_id: call.id ?? `call_${id}`,
      name: call.name,
      arguments: "",
      status: "in_progress",
    };
    send("response.output_item.added", { output_index, item });
    for (const delta of cutText(args, call.pieces ?? 2)) {
      send("response.function_call_arguments.delta", { item_id: id, output_index, delta });
    }
    const done = { ...item, arguments: args, status: "completed" };
    send("response.output_item.done", { output_index: output_index++, item: done });
  }
  for (const data of answer.data ?? []) events.push({ data });
  if (answer.error !== undefined) {
    const error = isJsonObject(answer.error) ? answer.error : { message: answer.error };
    send("response.failed", { response: { ...response, status: "failed", error } });
    return events;
  }
  if (answer.end !== undefined || answer.finish === null) return events;
  const usage = isJsonObject(answer.usage) ? answer.usage : {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  };
  const incomplete = answer.finish === undefined ? null : { reason: answer.finish };
  send(incomplete === null ? "response.completed" : "response.incomplete", {
    response: { ...response, status: "completed", incomplete_details: incomplete, usage },
  });
  return events;
}
