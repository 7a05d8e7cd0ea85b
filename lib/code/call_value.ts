import type { JsonObject, JsonValue } from "../json.ts";
import type { Media, StreamedOutput } from "../tool/output.ts";
import type { ToolResult } from "../tool/result.ts";
import { MAX_VALUE_UNITS } from "./protocol.ts";

/**
 * What code gets for a call: the text or the value; where there are media `{text, media}`, whose
 * items the `attach` tools take. Throws the error of a call that failed.
 */
export async function callValue({ error, value, media, output }: ToolResult): Promise<JsonValue> {
  if (error !== undefined) throw error;
  if (output !== undefined) return await wholeText(output) ?? value;
  return media.length === 0 ? value : { text: value, media: media.map(mediaValue) };
}

function mediaValue(media: Media): JsonObject {
  const { mediaType } = media;
  return "url" in media
    ? { type: "media", mediaType, url: media.url }
    : { type: "media", mediaType, data: media.data.toBase64() };
}

/** Undefined: there is more than code can take; the preview says how to read it. */
async function wholeText(output: StreamedOutput): Promise<string | undefined> {
  let text = "";
  for await (const chunk of output.chunks()) {
    text += chunk;
    if (text.length > MAX_VALUE_UNITS) return undefined;
  }
  return text;
}
