import { isJsonObject, type JsonValue } from "../../json.ts";
import { contentText } from "../../tape/content.ts";
import type { TapeEntry } from "../../tape/entry.ts";
import type { TapeStore } from "../../tape/store.ts";

/** Entries that are looked at: a first prompt stands near the start of its tape. */
const MAX_ENTRIES = 100;

/**
 * What a conversation began with: its first prompt, or where only text commands came their first
 * one; null when there is neither. Reads the head of the tape, however long the prompt is.
 */
export async function firstPrompt(store: TapeStore, tape: string): Promise<string | null> {
  let command: string | null = null;
  let entries = 0;
  for await (const entry of store.read(tape, "oldest")) {
    const prompt = promptOf(entry);
    if (prompt !== null) return prompt;
    command ??= data(entry, "command", "raw");
    if (++entries === MAX_ENTRIES) break;
  }
  return command;
}

function promptOf(entry: TapeEntry): string | null {
  const { kind, payload } = entry;
  if (kind === "message" && payload.role === "user") {
    return unlessBlank(contentText(payload.content));
  }
  return data(entry, "loop.start", "prompt");
}

/** A text in the data of an event of that name. */
function data({ kind, payload }: TapeEntry, event: string, key: string): string | null {
  if (kind !== "event" || payload.name !== event || !isJsonObject(payload.data)) return null;
  return unlessBlank(payload.data[key]);
}

function unlessBlank(text: JsonValue | undefined): string | null {
  return typeof text === "string" && text.trim() !== "" ? text : null;
}
