import { isMediaType } from "./media_kind.ts";

/** What a `data:` URL holds. */
export interface DataUrl {
  /** The type without its parameters, in lower case; empty when it names none. */
  readonly mediaType: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The bytes of a `data:` URL, base64 or percent-encoded; null when it is none or is damaged. */
export function parseDataUrl(url: string): DataUrl | null {
  const comma = url.indexOf(",");
  const head = /^data:([^;]*)(;.*)?$/is.exec(url.slice(0, Math.max(comma, 0)));
  if (head === null) return null;
  const [, type = "", parameters = ""] = head;
  const mediaType = type.trim().toLowerCase();
  if (mediaType !== "" && !isMediaType(mediaType)) return null;
  const body = url.slice(comma + 1);
  const data = /;\s*base64\s*$/i.test(parameters) ? base64Body(body) : percentBytes(body);
  return data === null ? null : { mediaType, data };
}

/** Bytes of base64 in either alphabet, white space ignored; null for what is none. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}

/** In a URL the signs of base64 may be percent-encoded themselves. */
function base64Body(body: string): Uint8Array<ArrayBuffer> | null {
  if (!body.includes("%")) return base64Bytes(body);
  const plain = percentBytes(body);
  return plain && base64Bytes(new TextDecoder("latin1").decode(plain));
}

/** Bytes of text in which `%` and two hex digits are one; null where a `%` stands alone. */
function percentBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const PERCENT = 0x25;
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === PERCENT) {
      const hex = String.fromCharCode(...bytes.subarray(at + 1, at + 3));
      if (!/^[0-9a-f]{2}$/i.test(hex)) return null;
      byte = parseInt(hex, 16);
      at += 2;
    }
    bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}
