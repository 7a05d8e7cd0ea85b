import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { InlineMedia } from "../tool/output.ts";
import type { TapeEntry } from "./entry.ts";

/**
 * What an entry holds in place of media (TP12): a content part of a message or of a tool result
 * that `meta.parts` names. The bytes are in the media store under their SHA-256.
 */
export interface MediaReference extends JsonObject {
  readonly type: "media";
  readonly media_type: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** One line for people, also when the bytes are gone. */
  readonly label: string;
}

/** The same for media that only the provider opens: there are no bytes to keep. */
export interface MediaLink extends JsonObject {
  readonly type: "media";
  readonly media_type: string;
  readonly url: string;
  /** One line for people. */
  readonly label: string;
}

/** Where the bytes of media live, each content once, whichever tapes refer to it. */
export interface MediaStore {
  /** Keeps the bytes and returns what an entry says in their place. Rejects with `storage`. */
  put(media: InlineMedia): Promise<MediaReference>;

  /** The bytes; null when they are gone, or are not those that were put. */
  get(reference: MediaReference): Promise<Uint8Array<ArrayBuffer> | null>;

  /**
   * Media put after this stay until the answer is disposed of, though no entry refers to them yet.
   * Rejects with `storage`.
   */
  hold(): Promise<Disposable>;
}

/** Whether a content part is a reference in the form above. */
export function isMediaReference(part: JsonValue): part is MediaReference {
  return isJsonObject(part) && part.type === "media" && typeof part.media_type === "string" &&
    typeof part.sha256 === "string" && /^[0-9a-f]{64}$/.test(part.sha256) &&
    typeof part.size === "number" && typeof part.label === "string";
}

/** Whether a content part is a link in the form above. */
export function isMediaLink(part: JsonValue): part is MediaLink {
  return isJsonObject(part) && part.type === "media" && typeof part.media_type === "string" &&
    typeof part.url === "string" && typeof part.label === "string";
}

/**
 * The entries with the bytes in the place of references, as inline parts that a selector takes. A
 * reference whose bytes are gone stays, which a selector shows as a text that says so. Entries
 * outside the context are left alone.
 */
export async function resolveMedia(
  entries: readonly TapeEntry[],
  store: MediaStore,
): Promise<readonly TapeEntry[]> {
  const known = new Map<string, Promise<string | null>>();
  const inline = async (reference: MediaReference): Promise<JsonValue> => {
    const { sha256, media_type: mediaType, label } = reference;
    const found = known.get(sha256) ?? base64Of(reference, store);
    known.set(sha256, found);
    const data = await found;
    return data === null ? reference : { type: "media", mediaType, data, label };
  };
  return await Promise.all(entries.map((entry) => {
    return entry.meta.context === false ? entry : resolveEntry(entry, inline);
  }));
}

type Inline = (reference: MediaReference) => Promise<JsonValue>;

async function resolveEntry(entry: TapeEntry, inline: Inline): Promise<TapeEntry> {
  const { kind, payload, meta } = entry;
  if (kind === "message" && holdsMedia(payload.content)) {
    return {
      ...entry,
      payload: { ...payload, content: await resolveParts(payload.content, inline) },
    };
  }
  if (kind !== "tool_result" || !isList(payload.results) || !isList(meta.parts)) return entry;
  const inParts = new Set(meta.parts);
  const results = await Promise.all(
    payload.results.map((result, index) =>
      inParts.has(index) && holdsMedia(result) ? resolveParts(result, inline) : result
    ),
  );
  return { ...entry, payload: { ...payload, results } };
}

function resolveParts(parts: readonly JsonValue[], inline: Inline): Promise<readonly JsonValue[]> {
  return Promise.all(parts.map((part) => isMediaReference(part) ? inline(part) : part));
}

/** Null when the bytes are gone. */
async function base64Of(reference: MediaReference, store: MediaStore): Promise<string | null> {
  return (await store.get(reference))?.toBase64() ?? null;
}

function holdsMedia(value: JsonValue | undefined): value is readonly JsonValue[] {
  return isList(value) && value.some(isMediaReference);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The reference to `media` whose digest is `sha256`. */
export function mediaReference(
  { mediaType, data, label }: InlineMedia,
  sha256: string,
): MediaReference {
  return { type: "media", media_type: mediaType, sha256, size: data.length, label };
}

/** The SHA-256 of the bytes in hex. */
export async function mediaDigest(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data)).toHex();
}
