import { base64Bytes, parseDataUrl } from "../content/data_url.ts";
import { isMediaType, type MediaKind } from "../content/media_kind.ts";
import { BubError } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { quote } from "./quote.ts";

/** Where media come from, as code says it; `mediaType` is what the code says they are. */
export type MediaSource =
  | { readonly from: "path"; readonly path: string; readonly mediaType?: string | undefined }
  /** `http:` or `https:`, to be fetched. */
  | { readonly from: "web"; readonly url: string; readonly mediaType?: string | undefined }
  /** `gs:`, for the provider to open. */
  | { readonly from: "link"; readonly url: string; readonly mediaType?: string | undefined }
  | {
    readonly from: "bytes";
    readonly data: Uint8Array<ArrayBuffer>;
    readonly mediaType?: string | undefined;
  };

/** The members of which an object has exactly one. */
const PLACES = ["path", "url", "data"] as const;

/** What can be given, for errors. */
const RIGHT = "a path, an http(s):, gs: or data: URL, or {path | url | data, mediaType?}";

/** A bucket and a name in it, spelt as it is: Google decodes nothing, and names may have blanks. */
const LINK = /^gs:\/\/[^/\s\p{Cc}]+\/[^\p{Cc}\u2028\u2029]+$/iu;

/**
 * Where media come from: a text, an object with a place, or the result of a tool that shows one
 * medium. Throws `invalid_input` for anything else.
 */
export function mediaSource(kind: MediaKind, given: JsonValue): MediaSource {
  if (typeof given === "string") return textSource(given);
  if (!isJsonObject(given)) throw wrong(kind, given);
  const { media } = given;
  if (Array.isArray(media)) return shownSource(kind, media);
  const places = PLACES.filter((name) => given[name] !== undefined);
  const [place] = places;
  if (place === undefined || places.length > 1) throw wrong(kind, given);
  return placedSource(kind, place, given);
}

/** The one medium that a tool's result shows. */
function shownSource(kind: MediaKind, media: readonly JsonValue[]): MediaSource {
  const [only] = media;
  if (media.length === 1 && isJsonObject(only) && only.media === undefined) {
    return mediaSource(kind, only);
  }
  throw new BubError(
    "invalid_input",
    `${kind} holds ${media.length} media; give one of them, such as result.media[0]`,
  );
}

function placedSource(
  kind: MediaKind,
  place: typeof PLACES[number],
  given: JsonObject,
): MediaSource {
  const value = given[place];
  const mediaType = optionalText(kind, given.mediaType);
  if (typeof value !== "string") throw wrong(kind, given);
  if (place === "path") return { from: "path", path: value, mediaType };
  if (place === "url") return urlSource(value, mediaType) ?? refuseUrl(value);
  if (/^data:/i.test(value)) return dataUrlSource(value, mediaType);
  const data = base64Bytes(value);
  if (data === null) throw new BubError("invalid_input", "data is no base64");
  return { from: "bytes", data, mediaType };
}

/** A text that begins with a scheme is a URL, any other a path. */
function textSource(text: string): MediaSource {
  const source = urlSource(text, undefined);
  if (source !== undefined) return source;
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text) ? refuseUrl(text) : { from: "path", path: text };
}

/** Undefined for what is no URL of a known scheme. */
function urlSource(url: string, mediaType: string | undefined): MediaSource | undefined {
  if (/^https?:/i.test(url)) return { from: "web", url, mediaType };
  if (/^file:/i.test(url)) return { from: "path", path: url, mediaType };
  if (LINK.test(url) && URL.canParse(url)) return { from: "link", url, mediaType };
  return /^data:/i.test(url) ? dataUrlSource(url, mediaType) : undefined;
}

function dataUrlSource(url: string, mediaType: string | undefined): MediaSource {
  const found = parseDataUrl(url);
  if (found === null) {
    throw new BubError(
      "invalid_input",
      `${quote(url, 80)} is no data: URL; one reads data:image/png;base64,…`,
    );
  }
  return {
    from: "bytes",
    data: found.data,
    mediaType: mediaType ?? (found.mediaType || undefined),
  };
}

function refuseUrl(url: string): never {
  throw new BubError(
    "invalid_input",
    `${
      quote(url, 80)
    } is no URL that media are taken from: http:, https:, gs://bucket/name or data:`,
  );
}

function optionalText(kind: MediaKind, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && isMediaType(value)) return value.toLowerCase();
  throw new BubError(
    "invalid_input",
    `mediaType must be a type such as ${kind}/${EXAMPLES[kind]}, got ${quote(value, 80)}`,
  );
}

const EXAMPLES: Readonly<Record<MediaKind, string>> = { image: "png", audio: "wav", video: "mp4" };

function wrong(kind: MediaKind, given: JsonValue): BubError {
  return new BubError("invalid_input", `${kind} must be ${RIGHT}, got ${quote(given, 80)}`);
}
