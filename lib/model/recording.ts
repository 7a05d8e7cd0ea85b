import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { EntryDraft, TapeEntry, ToolCall } from "../tape/entry.ts";
import { eventEntry, messageEntry, toolCallEntry } from "../tape/entry.ts";
import { FINISH_REASONS, type FinishReason, type ReasoningPart, type Usage } from "./model.ts";

/** One answer of a model as a tape or a recording holds it. */
export interface RecordedAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly reasoning: readonly ReasoningPart[];
  readonly finish: FinishReason;
  readonly rawFinish?: string | undefined;
  readonly usage?: Usage | undefined;
}

/** Recorded answers by session, in start order; a plain tape is one session. */
export type Recording = ReadonlyMap<number, readonly RecordedAnswer[]>;

/**
 * An answer as the entries of a recording: those that a tape has for it, with the number of the
 * session in `meta.session`.
 */
export function answerDrafts(
  answer: RecordedAnswer,
  { session, n, model }: { readonly session: number; readonly n: number; readonly model: string },
): readonly EntryDraft[] {
  const { text, calls, reasoning, finish, rawFinish, usage } = answer;
  const meta = { session, run_id: `${session}-${n}` };
  const extra = reasoning.length === 0 ? {} : { reasoning };
  const said = text === "" ? extra : { content: text, ...extra };
  return [
    calls.length > 0
      ? toolCallEntry(calls, meta, said)
      : messageEntry({ role: "assistant", content: text, ...extra }, meta),
    eventEntry("run", {
      status: "ok",
      model,
      finish_reason: finish,
      ...(rawFinish === undefined ? {} : { raw_finish_reason: rawFinish }),
      ...(usage === undefined ? {} : { usage }),
    }, meta),
  ];
}

/** Collects the answers of a recording, or of any tape. */
export async function readRecording(entries: AsyncIterable<TapeEntry>): Promise<Recording> {
  const sessions = new Map<number, Draft[]>();
  for await (const { kind, payload, meta } of entries) {
    const session = typeof meta.session === "number" ? meta.session : 0;
    const answers = sessions.get(session) ?? [];
    sessions.set(session, answers);
    const last = answers.at(-1);
    if (kind === "message" && payload.role === "assistant") {
      answers.push({ ...draft(payload, meta), text: contentText(payload.content) });
    } else if (kind === "tool_call") {
      const calls = toolCalls(payload.calls);
      // A text that came with calls may stand before them as a message of its own.
      if (last !== undefined && isSameRun(last, meta) && last.calls.length === 0) {
        last.calls = calls;
      } else {
        answers.push({ ...draft(payload, meta), text: contentText(payload.content), calls });
      }
    } else if (kind === "event" && payload.name === "run" && last !== undefined) {
      if (isSameRun(last, meta) && isJsonObject(payload.data)) describe(last, payload.data);
    }
  }
  return new Map(
    [...sessions].map(([session, answers]) => [session, answers.map(finished)]),
  );
}

/** An answer while its entries are read. */
interface Draft {
  readonly run: JsonValue | undefined;
  text: string;
  calls: readonly ToolCall[];
  readonly reasoning: readonly ReasoningPart[];
  finish?: FinishReason | undefined;
  rawFinish?: string | undefined;
  usage?: Usage | undefined;
}

function draft({ reasoning }: JsonObject, meta: JsonObject): Draft {
  const parts = Array.isArray(reasoning) ? reasoning : [];
  return {
    run: meta.run_id,
    text: "",
    calls: [],
    reasoning: parts.filter((part): part is ReasoningPart =>
      isJsonObject(part) && typeof part.text === "string"
    ),
  };
}

function isSameRun({ run }: Draft, meta: JsonObject): boolean {
  return run !== undefined && run === meta.run_id;
}

function describe(answer: Draft, data: JsonObject): void {
  answer.finish = FINISH_REASONS.find((reason) => reason === data.finish_reason);
  if (typeof data.raw_finish_reason === "string") answer.rawFinish = data.raw_finish_reason;
  const { usage } = data;
  if (!isJsonObject(usage)) return;
  const { prompt_tokens_details: details } = usage;
  const cached = isJsonObject(details) ? Number(details.cached_tokens ?? 0) : 0;
  answer.usage = {
    prompt_tokens: Number(usage.prompt_tokens ?? 0),
    completion_tokens: Number(usage.completion_tokens ?? 0),
    total_tokens: Number(usage.total_tokens ?? 0),
    prompt_tokens_details: { cached_tokens: cached },
    ...(usage.estimated === true ? { estimated: true as const } : {}),
  };
}

function finished({ text, calls, reasoning, finish, rawFinish, usage }: Draft): RecordedAnswer {
  const reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return { text, calls, reasoning, finish: reason, rawFinish, usage };
}

function toolCalls(value: JsonValue | undefined): readonly ToolCall[] {
  const calls = Array.isArray(value) ? value : [];
  return calls.filter((call): call is ToolCall =>
    isJsonObject(call) && typeof call.id === "string" && isJsonObject(call.function) &&
    typeof call.function.name === "string" && typeof call.function.arguments === "string"
  );
}

/** Text of a message in either form of OpenAI's API: a text or a list of parts. */
function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part) =>
    isJsonObject(part) && typeof part.text === "string" ? [part.text] : []
  ).join("");
}
