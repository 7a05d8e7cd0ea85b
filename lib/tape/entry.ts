import type { ErrorReport } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";

/** The kinds this program writes. Entries of other kinds are kept and passed over. */
export const ENTRY_KINDS = [
  "message",
  "system",
  "anchor",
  "tool_call",
  "tool_result",
  "event",
  "error",
] as const;

export type EntryKind = typeof ENTRY_KINDS[number];

/** One line of a tape. Ids are consecutive from 1; the date is ISO 8601 in UTC. */
export interface TapeEntry {
  readonly id: number;
  readonly kind: string;
  readonly payload: JsonObject;
  readonly meta: JsonObject;
  readonly date: string;
}

/**
 * An entry before the store has given it its id and, where missing, its date. This program writes
 * the kinds above; others come from entries that are copied, which keep what else they have.
 */
export interface EntryDraft {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly meta?: JsonObject;
  readonly date?: string;
}

/** A tool call in the form of OpenAI's API; `arguments` is the text as the model wrote it. */
export interface ToolCall extends JsonObject {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The anchor every new tape starts with. */
export const SESSION_START: EntryDraft = {
  kind: "anchor",
  payload: { name: "session/start", state: { owner: "human" } },
};

export function messageEntry(payload: JsonObject, meta: JsonObject = {}): EntryDraft {
  return { kind: "message", payload, meta };
}

export function systemEntry(content: string, meta: JsonObject = {}): EntryDraft {
  return { kind: "system", payload: { content }, meta };
}

export function anchorEntry(name: string, state?: JsonObject, meta: JsonObject = {}): EntryDraft {
  return { kind: "anchor", payload: state === undefined ? { name } : { name, state }, meta };
}

/** The calls of one step; `extra` carries the text and reasoning that came with them. */
export function toolCallEntry(
  calls: readonly ToolCall[],
  meta: JsonObject = {},
  extra: JsonObject = {},
): EntryDraft {
  return { kind: "tool_call", payload: { calls, ...extra }, meta };
}

/**
 * The results of one step, in the order of its calls. Two lists of positions in the meta say what
 * the values alone do not: `errors`, which are error reports, and `parts`, which are lists of
 * content parts (text, and media by reference) rather than JSON values for the model to read.
 */
export function toolResultEntry(results: readonly JsonValue[], meta: JsonObject = {}): EntryDraft {
  return { kind: "tool_result", payload: { results }, meta };
}

export function eventEntry(name: string, data?: JsonObject, meta: JsonObject = {}): EntryDraft {
  return { kind: "event", payload: data === undefined ? { name } : { name, data }, meta };
}

export function errorEntry(report: ErrorReport, meta: JsonObject = {}): EntryDraft {
  return { kind: "error", payload: report, meta };
}
