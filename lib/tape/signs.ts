import type { JsonObject, JsonValue } from "../json.ts";

/** Never in a query without letters and digits that is worth a search. */
const BETWEEN = "\0";

/**
 * Whether a query has neither letters nor digits. Such a one is looked for in what was said alone:
 * in JSON text the signs of JSON itself, and those of dates and ids, would be in every entry.
 */
export function isOnlySigns(query: string): boolean {
  return !/[\p{L}\p{N}]/u.test(query);
}

/** The names, texts and numbers in a payload, without the JSON around them. */
export function saidText(payload: JsonObject): string {
  const texts: string[] = [];
  // No recursion: other programs nest as deeply as they like.
  const open: JsonValue[] = [payload];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "number") texts.push(String(value));
    else if (Array.isArray(value)) { for (const item of value) open.push(item); }
    else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        texts.push(name);
        if (inner !== undefined) open.push(inner);
      }
    }
  }
  return texts.join(BETWEEN);
}
