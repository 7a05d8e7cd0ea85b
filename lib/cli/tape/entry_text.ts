import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { TapeEntry } from "../../tape/entry.ts";
import { byteSize } from "./byte_size.ts";

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
  return results.map((result: JsonValue, index) => {
    const parts = holds(meta.parts, index) && Array.isArray(result) ? result : null;
    if (!holds(meta.errors, index)) return parts === null ? printed(result) : contentLines(parts);
    if (parts === null) return `failed: ${reportLines(result)}`;
    const [report, ...media] = parts;
    return lines(`failed: ${reportLines(parsedText(report))}`, contentLines(media));
  });
}

/** An error report; whatever else is there as it is. */
function reportLines(report: JsonValue): string {
  return isJsonObject(report) ? errorLines(report) : printed(report);
}

/** What the JSON in a text part says; what is none stays text. */
function parsedText(part: JsonValue | undefined): JsonValue {
  const text = isJsonObject(part) && typeof part.text === "string" ? part.text : "";
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Text, or content parts each on its line, media by their labels. */
export function contentLines(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return content === undefined ? "" : printed(content);
  return content.map((part) => isJsonObject(part) ? partLine(part) : printed(part)).join("\n");
}

function partLine(part: JsonObject): string {
  const { type, text, label, media_type, mediaType, data, image_url } = part;
  if (typeof text === "string") return text;
  if (isJsonObject(image_url) && typeof image_url.url === "string") {
    const { url } = image_url;
    const [, inline] = /^data:([^;,]*)/.exec(url) ?? [];
    return inline === undefined ? `[image, ${url}]` : `[${inline}, ${base64Size(url)}]`;
  }
  const size = typeof data === "string" ? `, ${base64Size(data)}` : "";
  return `[${label ?? media_type ?? mediaType ?? type ?? "content"}${size}]`;
}

/** The size of what base64, or a data: URL, holds. */
function base64Size(text: string): string {
  const base64 = text.slice(text.indexOf(",") + 1);
  return byteSize(Math.floor(base64.length * 3 / 4));
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
