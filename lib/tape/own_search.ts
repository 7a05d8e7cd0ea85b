import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { TapeEntry } from "./entry.ts";

/**
 * `entry` without what searches of the tape left in it: their calls, their results, their commands.
 * Null when nothing else is in it; the same object when no search is in it at all.
 *
 * @param before The entry before it on the tape, which has the names of the calls that results
 * belong to.
 */
export function withoutSearches(entry: TapeEntry, before: TapeEntry | null): TapeEntry | null {
  const { kind, payload } = entry;
  switch (kind) {
    case "tool_call":
      return withItems(entry, "calls", list(payload.calls).filter((call) => !isSearch(call)));
    case "tool_result": {
      const calls = before?.kind === "tool_call" ? list(before.payload.calls) : [];
      const others = list(payload.results).filter((result, index) => {
        const call = calls[index];
        return call === undefined ? !isSearchResult(result) : !isSearch(call);
      });
      return withItems(entry, "results", others);
    }
    case "event":
      return isJsonObject(payload.data) && isSearchName(payload.data.name) ? null : entry;
    default:
      return entry;
  }
}

function withItems(
  entry: TapeEntry,
  name: "calls" | "results",
  items: readonly JsonValue[],
): TapeEntry | null {
  const { payload } = entry;
  if (items.length === list(payload[name]).length) return entry;
  if (items.length === 0) return null;
  return { ...entry, payload: { ...payload, [name]: items } satisfies JsonObject };
}

function isSearch(call: JsonValue): boolean {
  return isJsonObject(call) && isJsonObject(call.function) && isSearchName(call.function.name);
}

/** Either form of the tool's name, in any case, as models write it. */
function isSearchName(name: JsonValue | undefined): boolean {
  return typeof name === "string" && /^tape[._]search$/i.test(name);
}

/** Known by its form where the calls are not at hand. */
function isSearchResult(value: JsonValue): boolean {
  return isJsonObject(value) && Array.isArray(value.matches) && typeof value.filtered === "number";
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
