import { sniffMediaType } from "./signature.ts";

/** What is shown to models. */
export const MEDIA_KINDS = ["image", "audio", "video"] as const;
export type MediaKind = typeof MEDIA_KINDS[number];

/** Files that hold sound or film alike, so that their first bytes do not tell which. */
const CONTAINERS = ["mp4", "webm", "ogg", "3gpp"];

/** Media types by the ends of names; for what the first bytes do not tell. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
  ["heic", "image/heic"],
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["aac", "audio/aac"],
  ["ogg", "audio/ogg"],
  ["flac", "audio/flac"],
  ["mp4", "video/mp4"],
  ["mov", "video/quicktime"],
  ["webm", "video/webm"],
  ["mpg", "video/mpeg"],
  ["mpeg", "video/mpeg"],
  ["3gp", "video/3gpp"],
]);

/** The media type that the name of a file says; undefined when it says none. */
export function namedMediaType(name: string): string | undefined {
  const [, extension = ""] = /\.(\w+)$/.exec(name) ?? [];
  return BY_EXTENSION.get(extension.toLowerCase());
}

/**
 * The media type of bytes that are to be sound or film: what their first bytes say, else `declared`.
 * Of a container that may hold either it is that of the kind asked for. Undefined: nobody says.
 */
export function mediaTypeAs(
  kind: MediaKind,
  data: Uint8Array,
  declared: string | undefined,
): string | undefined {
  const type = sniffMediaType(data) ?? declared;
  const subtype = type?.split("/", 2)[1] ?? "";
  return kind !== "image" && CONTAINERS.includes(subtype) ? `${kind}/${subtype}` : type;
}

/** Whether a text is a media type as RFC 6838 writes them, without parameters. */
export function isMediaType(text: string): boolean {
  return /^[a-z\d][a-z\d!#$&^_.+-]{0,126}\/[a-z\d][a-z\d!#$&^_.+-]{0,126}$/i.test(text);
}

/** Whether a media type is one of that kind. */
export function isOfKind(mediaType: string, kind: MediaKind): boolean {
  return mediaType.startsWith(`${kind}/`);
}
