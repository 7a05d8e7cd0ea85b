import type { MediaPart, UserMessage } from "../model/model.ts";
import type { Media } from "../tool/output.ts";

/** The content of a prompt: its text, and behind it the media that it shows. */
export function promptContent(text: string, media: readonly Media[] = []): UserMessage["content"] {
  return media.length === 0 ? text : [{ type: "text", text }, ...media.map(mediaPart)];
}

/** A prompt that hooks have built, with the media of what it was built from. */
export function withMedia(built: string, from: UserMessage["content"]): UserMessage["content"] {
  if (typeof from === "string") return built;
  const media = from.filter(({ type }) => type === "media");
  return media.length === 0 ? built : [{ type: "text", text: built }, ...media];
}

function mediaPart(media: Media): MediaPart {
  const { mediaType, label } = media;
  const part = { type: "media", mediaType, label } as const;
  return "url" in media ? { ...part, url: media.url } : { ...part, data: media.data.toBase64() };
}
