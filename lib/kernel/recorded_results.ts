import type { JsonObject, JsonValue } from "../json.ts";
import { type EntryDraft, toolResultEntry } from "../tape/entry.ts";
import type { ToolResult } from "../tool/result.ts";
import type { MediaKeeper } from "./media_keeper.ts";

/** The `tool_result` entry of a step, its media kept; null when there are no results. */
export async function recordResults(
  results: readonly ToolResult[],
  meta: JsonObject,
  keeper: MediaKeeper,
): Promise<EntryDraft | null> {
  if (results.length === 0) return null;
  const values = await Promise.all(
    results.map((result) => result.media.length > 0 ? parts(result, keeper) : result.value),
  );
  const errors = results.flatMap(({ status }, index) => status === "error" ? [index] : []);
  const inParts = results.flatMap(({ media }, index) => media.length > 0 ? [index] : []);
  const marks = inParts.length > 0 ? { errors, parts: inParts } : { errors };
  return toolResultEntry(values, { ...meta, ...marks });
}

/** What the model reads of a result, and its media: a list of content parts. */
async function parts(
  { text, media }: ToolResult,
  keeper: MediaKeeper,
): Promise<readonly JsonValue[]> {
  return [{ type: "text", text }, ...await Promise.all(media.map((each) => keeper.part(each)))];
}
