import type { ContentPart, ModelRequest } from "./model.ts";
import type { AdapterName } from "./provider.ts";

export type MediaPart = Extract<ContentPart, { type: "media" }>;

/** What the adapters can put into a message; anything else they refuse to convert. */
const TAKEN: Readonly<Record<Exclude<AdapterName, "replay">, RegExp>> = {
  chat: /^(?:image\/|video\/|audio\/(?:wav|mp3|mpeg)$|application\/pdf$)/,
  responses: /^(?:image\/|application\/pdf$)/,
  messages: /^(?:image\/(?:jpeg|png|gif|webp)$|application\/pdf$)/,
  gemini: /^(?:image|audio|video|text)\/|^application\/pdf$/,
};

export function takesMedia(adapter: Exclude<AdapterName, "replay">, mediaType: string): boolean {
  return TAKEN[adapter].test(mediaType);
}

/** What stands for media that cannot be sent. */
export function mediaNote({ mediaType, data }: MediaPart, why: string): string {
  const bytes = Math.floor(data.length * 3 / 4);
  return `[${mediaType}, ${bytes} bytes, left out: ${why}]`;
}

/** A short name for one piece of media, to remember that it was refused. */
export function mediaKey({ mediaType, data }: MediaPart): string {
  const middle = Math.floor(data.length / 2);
  return [mediaType, data.length, data.slice(-64), data.slice(middle, middle + 64)].join(" ");
}

/** Every piece of media in a request. */
export function mediaOf({ messages }: ModelRequest): readonly MediaPart[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === "media")
  );
}
