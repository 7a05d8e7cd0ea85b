import type { MediaPart, ModelRequest } from "./model.ts";
import type { AdapterName } from "./provider.ts";

/** What speaks to a provider. */
type Adapter = Exclude<AdapterName, "replay">;

/** What the adapters can put into a message; anything else they refuse to convert. */
const TAKEN: Readonly<Record<Adapter, RegExp>> = {
  chat: /^(?:image\/|video\/|audio\/(?:wav|mp3|mpeg)$|application\/pdf$)/,
  responses: /^(?:image\/|application\/pdf$)/,
  messages: /^(?:image\/(?:jpeg|png|gif|webp)$|application\/pdf$)/,
  gemini: /^(?:image|audio|video|text)\/|^application\/pdf$/,
};

/** Addresses that the providers behind an adapter open themselves; the adapter passes them on. */
const LINKS: Readonly<Partial<Record<Adapter, RegExp>>> = { gemini: /^gs:/i };

/**
 * What may stand in the result of a tool, of what is taken: with Chat Completions nothing but text,
 * with Gemini no sounds and films. Links may not.
 */
const IN_RESULTS: Readonly<Partial<Record<Adapter, RegExp>>> = {
  responses: /^/,
  messages: /^/,
  gemini: /^(?:image\/(?:png|jpeg|webp)|application\/pdf)$/,
};

/** Why a provider cannot be sent a piece of media; undefined: it can. */
export function mediaObstacle(part: MediaPart, adapter: Adapter): string | undefined {
  if (!TAKEN[adapter].test(part.mediaType)) return "this provider takes no such media";
  if (!("url" in part)) return undefined;
  const opens = LINKS[adapter]?.test(part.url) === true && URL.canParse(part.url);
  return opens ? undefined : "this provider takes no such links";
}

/** Whether bytes of that type may stand in a tool's result, and need no message of their own. */
export function fitsResult(mediaType: string, adapter: Adapter): boolean {
  return IN_RESULTS[adapter]?.test(mediaType) === true;
}

/** What stands for media that cannot be sent. */
export function mediaNote(part: MediaPart, why: string): string {
  return `[${part.label ?? describe(part)}, left out: ${why}]`;
}

/** What can be said of media that have no label. */
function describe(part: MediaPart): string {
  if ("url" in part) return `${part.mediaType}, ${part.url}`;
  const bytes = base64Size(part.data);
  return `${part.mediaType}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** How many bytes base64 stands for, with padding or without. */
function base64Size(text: string): number {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  return Math.floor((text.length - padding) * 3 / 4);
}

/** A short name for one piece of media, to remember what became of it. */
export function mediaKey(part: MediaPart): string {
  if ("url" in part) return `${part.mediaType} ${part.url}`;
  const { mediaType, data } = part;
  const middle = Math.floor(data.length / 2);
  return [mediaType, data.length, data.slice(-64), data.slice(middle, middle + 64)].join(" ");
}

/** Every piece of media in a request. */
export function mediaOf({ messages }: ModelRequest): readonly MediaPart[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === "media")
  );
}
