import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { TapeEntry } from "../../tape/entry.ts";

/** One entry for people. */
export interface EntryText {
  /** Its kind, with what tells it from others of that kind: `message user`, `anchor phase-1`. */
  readonly title: string;
  readonly body: string;
}

/** An entry as text; whatever a foreign writer put into it has one. */
export function entryText({ kind, payload, meta }: TapeEntry): EntryText {
  switch (kind) {
    case "message":
      return { title: `message ${payload.role ?? ""}`.trim(), body: contentLines(payload.content) };
    case "system":
      return { title: kind, body: contentLines(payload.content) };
    case "anchor":
      return { title: `anchor ${payload.name ?? ""}`, body: jsonLine(payload.state) };
    case "tool_call":
      return { title: kind, body: lines(contentLines(payload.content), callLines(payload)) };
    case "tool_result":
      return { title: kind, body: resultTexts(payload, meta).join("\n") };
    case "event":
      return { title: `event ${payload.name ?? ""}`, body: eventLines(payload) };
    case "error":
      return { title: `error ${payload.kind ?? ""}`, body: errorLines(payload) };
    default:
      return { title: kind, body: jsonLine(payload) };
  }
}

/** The calls of a `tool_call` entry, one a line: name and arguments as the model wrote them. */
export function callLines({ calls }: JsonObject): string {
  if (!Array.isArray(calls)) return "";
  return calls.map((call) => {
    const called = isJsonObject(call) && isJsonObject(call.function) ? call.function : {};
    const { name = "", arguments: args = "" } = called;
    return `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`;
  }).join("\n");
}

/** The results of a `tool_result` entry in call order, failed ones marked. */
export function resultTexts({ results }: JsonObject, meta: JsonObject): readonly string[] {
  if (!Array.isArray(results)) return [];
  return results.map((result, index) => {
    if (!holds(meta.errors, index)) {
      return holds(meta.parts, index) ? contentLines(result) : printed(result);
    }
    return `failed: ${isJsonObject(result) ? errorLines(result) : printed(result)}`;
  });
}

/** Text, or content parts each on its line, media by their labels. */
export function contentLines(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return content === undefined ? "" : printed(content);
  return content.map((part) => {
    if (!isJsonObject(part)) return printed(part);
    if (typeof part.text === "string") return part.text;
    const { type, label, media_type, mediaType } = part;
    return `[${label ?? media_type ?? mediaType ?? type ?? "content"}]`;
  }).join("\n");
}

/** The sentence, and below it the output there was and other details. */
export function errorLines({ kind, message, details }: JsonObject): string {
  const { output, ...others } = isJsonObject(details) ? details : {};
  const said = message === undefined ? `${kind ?? ""}` : printed(message);
  const rest = Object.keys(others).length > 0 ? jsonLine(others) : "";
  return lines(said, typeof output === "string" ? output : jsonLine(output), rest);
}

/** The data of an event; of a text command its line and its output. */
export function eventLines({ name, data }: JsonObject): string {
  if (name !== "command" || !isJsonObject(data)) return jsonLine(data);
  const { raw, output } = data;
  return lines(...[raw, output].map((value) => value === undefined ? "" : printed(value)));
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

function printed(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function jsonLine(value: JsonValue | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

function holds(list: JsonValue | undefined, index: number): boolean {
  return Array.isArray(list) && list.includes(index);
}
