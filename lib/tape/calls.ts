import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ToolMessage } from "../model/model.ts";
import { contentParts } from "./content.ts";
import type { TapeEntry, ToolCall } from "./entry.ts";

/** What the model is told of a call that a crash, a signal or an anchor parted from its result. */
const INTERRUPTED = "(no result: the call was interrupted before it ended)";

/** A recorded call with what became of it. */
export interface PairedCall {
  /** As recorded; nothing about its form is certain. */
  readonly call: JsonObject;
  readonly result: CallResult | null;
}

interface CallResult {
  readonly value: JsonValue;
  readonly isError: boolean;
  /** The value is a list of content parts. */
  readonly isParts: boolean;
}

/**
 * The calls of each `tool_call` entry, each with its result from the `tool_result` entry that
 * belongs to it: by position, since providers use ids again. Results without calls are left out.
 */
export function pairCalls(
  entries: readonly TapeEntry[],
): ReadonlyMap<TapeEntry, readonly PairedCall[]> {
  const pairs = new Map<TapeEntry, readonly PairedCall[]>();
  let open: TapeEntry | null = null;
  for (const entry of entries) {
    if (entry.kind === "tool_call") {
      pairs.set(entry, pair(entry, null));
      open = entry;
    } else if (entry.kind === "tool_result" && open !== null && ofOneRun(open, entry)) {
      pairs.set(open, pair(open, entry));
      open = null;
    }
  }
  return pairs;
}

function pair({ payload }: TapeEntry, answer: TapeEntry | null): readonly PairedCall[] {
  return list(payload.calls).map((call, index) => ({
    call: isJsonObject(call) ? call : {},
    result: answer === null ? null : resultAt(answer, index),
  }));
}

function resultAt({ payload, meta }: TapeEntry, index: number): CallResult | null {
  const value = list(payload.results)[index];
  if (value === undefined) return null;
  return {
    value,
    isError: list(meta.errors).includes(index),
    isParts: list(meta.parts).includes(index),
  };
}

/** Entries of Python Bub and of other writers may lack the run; then the order decides. */
function ofOneRun({ meta: { run_id: call } }: TapeEntry, { meta: { run_id: result } }: TapeEntry) {
  return call === undefined || result === undefined || call === result;
}

/** Hands out call ids that are unique in one request and the same in the next. */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #repeats = new Map<string, number>();

  /** `id` itself the first time, then `id_2`, `id_3`, …; `call` stands for an empty one. */
  claim(id: string): string {
    const stem = id.trim() === "" ? "call" : id;
    let unique = stem;
    let n = this.#repeats.get(stem) ?? 1;
    while (this.#used.has(unique)) unique = `${stem}_${++n}`;
    this.#repeats.set(stem, n);
    this.#used.add(unique);
    return unique;
  }
}

/**
 * A recorded call in the form every provider takes (B26, B28), with what its own provider wants
 * back of it, such as a signature.
 */
export function wireCall({ id, function: called, metadata }: JsonObject, ids: CallIds): ToolCall {
  const { name, arguments: args } = isJsonObject(called) ? called : {};
  return {
    id: ids.claim(typeof id === "string" ? id : ""),
    type: "function",
    function: {
      name: wireName(typeof name === "string" ? name : ""),
      arguments: typeof args === "string"
        ? objectText(args)
        : objectText(JSON.stringify(args ?? {})),
    },
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

/** The message that answers `call`. */
export function toolMessage(call: ToolCall, result: CallResult | null): ToolMessage {
  const message = { role: "tool", tool_call_id: call.id, name: call.function.name } as const;
  if (result === null) return { ...message, content: INTERRUPTED, is_error: true };
  const content = resultContent(result);
  return result.isError ? { ...message, content, is_error: true } : { ...message, content };
}

function resultContent({ value, isParts }: CallResult): ToolMessage["content"] {
  if (typeof value !== "string" && !isParts) return JSON.stringify(value);
  const content = contentParts(value);
  return content.length === 0 ? "(empty)" : content;
}

/** Names that a model made up may hold what no provider takes back. */
function wireName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unknown";
}

/** The text when it is a JSON object, else `{}`: the error result says what was wrong with it. */
function objectText(text: string): string {
  try {
    return isJsonObject(JSON.parse(text)) ? text : "{}";
  } catch {
    return "{}";
  }
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
