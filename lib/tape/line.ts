import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { EntryDraft, TapeEntry } from "./entry.ts";

/**
 * Gives drafts their ids, from `firstId` on, and the present time where they bring no date. Fields
 * that this program knows nothing of stay. Throws `invalid_input` for what would be no entry.
 */
export function numberDrafts(
  drafts: readonly EntryDraft[],
  firstId: number,
  now: Date = new Date(),
): TapeEntry[] {
  checkDrafts(drafts);
  const stamp = tapeDate(now);
  return drafts.map(({ kind, payload, meta = {}, date = stamp, ...unknown }, index) => {
    const id = firstId + index;
    // The id again behind the unknown fields: of an entry that is copied they bring the old one.
    return { ...{ id, kind, payload, meta, date }, ...unknown, id };
  });
}

/** Throws `invalid_input` for drafts, of plugins perhaps, that nobody could read as entries again. */
export function checkDrafts(drafts: readonly unknown[]): void {
  for (const draft of drafts) {
    if (isJsonObject(draft) && typeof draft.kind === "string" && isJsonObject(draft.payload)) {
      continue;
    }
    throw new BubError(
      "invalid_input",
      Array.isArray(draft)
        ? "an entry must be an object, got a list; each entry is an argument of its own"
        : "an entry must be an object with a text as kind and an object as payload",
    );
  }
}

/** An entry as one line of a tape file, its newline included. */
export function formatLine(entry: TapeEntry): string {
  return JSON.stringify(entry) + "\n";
}

/**
 * The entry on a line, with every field it has, unknown ones too. Tapes of early Python versions
 * have a `timestamp` in seconds in place of the date. Throws an `Error` that says what is wrong
 * with a line that is no entry.
 */
export function parseLine(line: string): TapeEntry {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) throw new Error("not a JSON object");
  const { id, kind, payload, meta, date } = value;
  if (!Number.isSafeInteger(id)) throw new Error("no integer id");
  if (typeof kind !== "string") throw new Error("no kind");
  if (isJsonObject(payload) && isJsonObject(meta) && typeof date === "string") {
    return value as JsonObject & TapeEntry;
  }
  return {
    ...value,
    id: id as number,
    kind,
    payload: isJsonObject(payload) ? payload : {},
    meta: isJsonObject(meta) ? meta : {},
    date: typeof date === "string" ? date : dateOfTimestamp(value.timestamp),
  };
}

/** ISO 8601 in UTC with `+00:00`, the form Python's `fromisoformat` takes in all its versions. */
export function tapeDate(date: Date): string {
  return date.toISOString().replace("Z", "+00:00");
}

function dateOfTimestamp(seconds: unknown): string {
  const date = new Date(typeof seconds === "number" ? seconds * 1000 : NaN);
  return Number.isNaN(date.getTime()) ? "" : tapeDate(date);
}
