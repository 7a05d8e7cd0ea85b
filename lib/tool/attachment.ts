import {
  isMediaType,
  isOfKind,
  type MediaKind,
  mediaTypeAs,
  namedMediaType,
} from "../content/media_kind.ts";
import type { Environment } from "../environment/environment.ts";
import { BubError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import { readBounded } from "./bounded_file.ts";
import { imageMedia, MAX_IMAGE_MIB, mediaLabel } from "./image_file.ts";
import { type MediaSource, mediaSource } from "./media_source.ts";
import type { LinkedMedia, Media } from "./output.ts";

/** The most that is taken of each kind, in MiB. */
export const MAX_MIB: Readonly<Record<MediaKind, number>> = {
  image: MAX_IMAGE_MIB,
  audio: 20,
  video: 20,
};

/** Through what media are got. */
export interface MediaAccess {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Bytes, what they are called, and what they are said to be. */
interface Found {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly declared: string | undefined;
}

/**
 * What code gave to be attached (C5), as media. Reads or fetches it; a `gs:` URL is passed on.
 * Throws `invalid_input` for what says no place, and `tool` for what is too long or is no such media.
 */
export async function loadAttachment(
  kind: MediaKind,
  given: JsonValue,
  access: MediaAccess,
): Promise<Media> {
  const source = mediaSource(kind, given);
  if (source.from === "link") return linkedMedia(kind, source);
  const { data, name, declared } = await find(kind, source, access);
  // What a provider refuses would stay in the conversation: images are looked at closely.
  if (kind === "image") return imageMedia(data, name);
  const mediaType = checkedType(kind, mediaTypeAs(kind, data, declared), name);
  return { mediaType, data, label: mediaLabel(mediaType, data, name) };
}

function linkedMedia(
  kind: MediaKind,
  { url, mediaType }: Extract<MediaSource, { from: "link" }>,
): LinkedMedia {
  const type = checkedType(kind, mediaType ?? namedMediaType(url), url);
  return { mediaType: type, url, label: `${type}, ${url}` };
}

async function find(
  kind: MediaKind,
  source: Exclude<MediaSource, { from: "link" }>,
  access: MediaAccess,
): Promise<Found> {
  const maxMiB = MAX_MIB[kind];
  switch (source.from) {
    case "path": {
      const { path: name, mediaType: declared = namedMediaType(name) } = source;
      const { environment, signal } = access;
      return { data: await readBounded(name, environment, { maxMiB, signal }), name, declared };
    }
    case "web":
      return await fetchMedia(kind, source, access);
    case "bytes": {
      const { data, mediaType: declared } = source;
      if (data.length > maxMiB * 2 ** 20) throw tooLong("data", kind, data.length);
      return { data, name: "data", declared };
    }
  }
}

async function fetchMedia(
  kind: MediaKind,
  { url, mediaType }: Extract<MediaSource, { from: "web" }>,
  { environment, signal }: MediaAccess,
): Promise<Found> {
  const headers = new Headers({ Accept: `${kind}/*` });
  const maxBytes = MAX_MIB[kind] * 2 ** 20;
  const { url: name, status, headers: answered, body, truncated } = await environment.fetch(url, {
    headers,
    maxBytes,
    signal,
  });
  if (status < 200 || status > 299) {
    throw new BubError("tool", `${name} answered with status ${status}`);
  }
  if (truncated) throw tooLong(name, kind);
  const [type = ""] = (answered.get("content-type") ?? "").split(";", 1);
  const declared = mediaType ?? toldType(type.trim().toLowerCase()) ??
    namedMediaType(new URL(name).pathname);
  return { data: body, name, declared };
}

/** The type a server tells; undefined where it says nothing. */
function toldType(type: string): string | undefined {
  return isMediaType(type) && !/^(?:application|binary)\/octet-stream$/.test(type)
    ? type
    : undefined;
}

/** Throws unless `mediaType` is one of the kind. */
function checkedType(kind: MediaKind, mediaType: string | undefined, name: string): string {
  if (mediaType === undefined) {
    throw new BubError(
      "tool",
      `${name}: nothing says what ${kind} it is, neither its name nor what it begins with; give ` +
        "mediaType",
    );
  }
  if (isOfKind(mediaType, kind)) return mediaType;
  throw new BubError("tool", `${name} is ${mediaType}, which is no ${kind}`);
}

function tooLong(name: string, kind: MediaKind, bytes?: number): BubError {
  const size = bytes === undefined ? `more than ${MAX_MIB[kind]} MiB` : `${bytes} bytes`;
  return new BubError(
    "tool",
    `${name} has ${size}; at most ${MAX_MIB[kind]} MiB of ${kind} are taken`,
  );
}
