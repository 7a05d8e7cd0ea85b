import type { JsonObject } from "../json.ts";
import type { ContentPart, MediaPart, UserMessage } from "../model/model.ts";
import { type EntryDraft, messageEntry } from "../tape/entry.ts";
import type { MediaKeeper } from "./media_keeper.ts";

/** The `message` entries of prompts, their media kept (TP12). */
export function recordPrompts(
  prompts: readonly UserMessage[],
  meta: JsonObject,
  keeper: MediaKeeper,
): Promise<readonly EntryDraft[]> {
  return Promise.all(prompts.map(async ({ role, content }) => {
    if (typeof content === "string") return messageEntry({ role, content }, meta);
    const parts = await Promise.all(content.map((part) => recordedPart(part, keeper)));
    return messageEntry({ role, content: parts }, meta);
  }));
}

async function recordedPart(part: ContentPart, keeper: MediaKeeper): Promise<JsonObject> {
  return part.type === "text" ? { type: "text", text: part.text } : await keepMedia(part, keeper);
}

async function keepMedia(part: MediaPart, keeper: MediaKeeper): Promise<JsonObject> {
  const { mediaType } = part;
  if ("url" in part) {
    const { url, label = `${mediaType}, ${url}` } = part;
    return await keeper.part({ mediaType, url, label });
  }
  const data = decoded(part.data);
  // Whoever wrote the prompt wrote no base64; what it is, the provider may know.
  if (data === null) return { type: "text", text: `[${mediaType}: its data are not base64]` };
  const { label = `${mediaType}, ${data.length} bytes` } = part;
  return await keeper.part({ mediaType, data, label });
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return null;
  }
}
