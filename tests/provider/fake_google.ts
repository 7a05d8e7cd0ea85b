/**
 * A fake server for Google's Gemini (`streamGenerateContent`). Used like `fake_openai.ts`: the same
 * script, the same answers; `signature` becomes the `thoughtSignature` of the first call.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { type Answer, argumentsOf, piecesOf } from "./answer.ts";
import type { StreamEvent } from "./event_stream.ts";
import { type FakeProvider, type FakeProviderOptions, startProvider } from "./fake_provider.ts";

/** Starts the server. */
export function startFakeGoogle(options: FakeProviderOptions): FakeProvider {
  return startProvider(options, {
    events: geminiEvents,
    objection: () => undefined,
    refusal: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  });
}

function geminiEvents(answer: Answer): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const send = (value: JsonObject) => void events.push({ data: JSON.stringify(value) });
  const parts = (list: readonly JsonObject[], fields: JsonObject = {}) =>
    send({ candidates: [{ index: 0, content: { role: "model", parts: list }, ...fields }] });
  for (const text of piecesOf(answer.reasoning)) parts([{ text, thought: true }]);
  for (const text of piecesOf(answer.text)) parts([{ text }]);
  for (const [index, call] of (answer.calls ?? []).entries()) {
    const functionCall = { name: call.name, args: JSON.parse(argumentsOf(call) ?? "{}") };
    const signed = index === 0 && answer.signature !== undefined;
    parts([{ functionCall, ...(signed ? { thoughtSignature: answer.signature } : {}) }]);
  }
  for (const data of answer.data ?? []) events.push({ data });
  if (answer.error !== undefined) send({ error: answer.error });
  if (answer.end !== undefined || answer.finish === null || answer.error !== undefined) {
    return events;
  }
  send({
    candidates: [{ index: 0, content: { parts: [] }, finishReason: answer.finish ?? "STOP" }],
    usageMetadata: isJsonObject(answer.usage) ? answer.usage : {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 20,
      totalTokenCount: 120,
    },
  });
  return events;
}
