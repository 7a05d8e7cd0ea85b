import { isJsonObject, type JsonValue } from "../json.ts";
import type { ContentPart } from "../model/model.ts";
import { isMediaLink, isMediaReference } from "./media.ts";

/**
 * The content of a user message or a tool result, blank pieces left out: text, or a list of parts,
 * ours or those of OpenAI's API. Media that are not inline become a text that says so (TP12).
 */
export function contentParts(content: JsonValue | undefined): string | readonly ContentPart[] {
  if (Array.isArray(content)) return content.flatMap(contentPart);
  return typeof content === "string" ? unlessBlank(content) : "";
}

/** The text alone. */
export function contentText(content: JsonValue | undefined): string {
  const parts = contentParts(content);
  if (typeof parts === "string") return parts;
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}

function contentPart(part: JsonValue): readonly ContentPart[] {
  if (typeof part === "string") return textPart(part);
  if (!isJsonObject(part)) return [];
  const { type, text, mediaType, data, label, image_url } = part;
  if (isMediaReference(part)) return textPart(`[${part.label}: not available]`);
  if (isMediaLink(part)) {
    return [{ type: "media", mediaType: part.media_type, url: part.url, label: part.label }];
  }
  if (type === "text") return typeof text === "string" ? textPart(text) : [];
  if (type === "media" && typeof mediaType === "string" && typeof data === "string") {
    return [{ type: "media", mediaType, data, ...(typeof label === "string" ? { label } : {}) }];
  }
  if (type === "image_url" && isJsonObject(image_url) && typeof image_url.url === "string") {
    return imagePart(image_url.url);
  }
  return textPart(`[${typeof mediaType === "string" ? mediaType : type}: not available]`);
}

function imagePart(url: string): readonly ContentPart[] {
  const inline = /^data:([\w.+-]+\/[\w.+-]+);base64,/.exec(url);
  const mediaType = inline?.[1];
  return inline === null || mediaType === undefined
    ? textPart(`[image: ${url}]`)
    : [{ type: "media", mediaType, data: url.slice(inline[0].length) }];
}

function textPart(text: string): readonly ContentPart[] {
  return unlessBlank(text) === "" ? [] : [{ type: "text", text }];
}

/** Providers refuse text of nothing but white space. */
function unlessBlank(text: string): string {
  return text.trim() === "" ? "" : text;
}
