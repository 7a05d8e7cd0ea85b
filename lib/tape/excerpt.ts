import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Span } from "./fold.ts";

/** UTF-16 units of JSON text up to which a payload is shown as it is. */
const WHOLE = 1000;
/** Units of one text that are shown of a longer payload. */
const SHOWN = 400;
/** Units of JSON text that a shortened payload may take. */
const MOST = 4000;

/** Finds what is looked for in a text; null: it is not there. */
export type Locator = (text: string) => Span | null;

/**
 * A payload that can be shown: a short one as it is, a long one with its texts cut, around the
 * match where they have it, else to their start. Where that is not enough, or hides the match,
 * `{excerpt}` with the JSON text around it.
 */
export function excerpt(payload: JsonObject, locate: Locator): JsonObject {
  const text = JSON.stringify(payload);
  if (text.length <= WHOLE) return payload;
  const short = cutObject(payload, locate);
  const shortText = JSON.stringify(short);
  if (shortText.length <= MOST && (locate(shortText) !== null || locate(text) === null)) {
    return short;
  }
  return { excerpt: cut(text, locate) };
}

function cutValue(value: JsonValue, locate: Locator): JsonValue {
  if (typeof value === "string") return value.length > SHOWN ? cut(value, locate) : value;
  if (Array.isArray(value)) return value.map((item) => cutValue(item, locate));
  return isJsonObject(value) ? cutObject(value, locate) : value;
}

function cutObject(object: JsonObject, locate: Locator): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      value === undefined ? undefined : cutValue(value, locate),
    ]),
  );
}

/** `SHOWN` units of `text`, the match in their middle, marked where something is left out. */
function cut(text: string, locate: Locator): string {
  const { start, end } = locate(text) ?? { start: 0, end: 0 };
  // Of a match that is longer itself the start is shown.
  const room = Math.max(0, SHOWN - (end - start));
  const latest = Math.min(start - Math.floor(room / 2), text.length - SHOWN);
  const from = border(text, Math.max(0, latest));
  const to = border(text, Math.min(text.length, from + SHOWN));
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

/** `at`, or one less where that would split a character. */
function border(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInside ? at - 1 : at;
}
