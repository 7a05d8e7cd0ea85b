import { charsetParameter, markedEncoding } from "./charset.ts";
import { sniffMediaType } from "./signature.ts";

/** How many bytes are looked at. */
const SNIFFED_BYTES = 1024;

/** The type without its parameters, in lower case; empty when there is none. */
function essence(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/**
 * The media type of `data` when it is no text, else undefined. The first bytes count for more than
 * the declared type: a page that begins like a PNG is one, and an `application/octet-stream` that
 * reads as text is text.
 */
export function binaryType(data: Uint8Array, contentType: string): string | undefined {
  const sniffed = sniffMediaType(data);
  if (sniffed !== undefined) return sniffed;
  const declared = essence(contentType);
  const name = declared === "" ? "application/octet-stream" : declared;
  if (isMarkedUp(declared)) {
    return hasNul(data, contentType) ? "application/octet-stream" : undefined;
  }
  if (/^(?:image|audio|video|font)\//.test(declared)) return name;
  return readsAsText(data, contentType) ? undefined : name;
}

function isMarkedUp(declared: string): boolean {
  return declared.startsWith("text/") || /[/+](?:json|xml|javascript|yaml)$/.test(declared);
}

/** Whether there are zero bytes, which only UTF-16 puts into text. */
function hasNul(data: Uint8Array, contentType: string): boolean {
  return !isWide(data, contentType) && data.subarray(0, SNIFFED_BYTES).includes(0);
}

function isWide(data: Uint8Array, contentType: string): boolean {
  return markedEncoding(data) !== undefined ||
    /^(?:utf-16|ucs-2|unicode)/i.test(charsetParameter(contentType) ?? "");
}

/** Whether the start has none of the control characters that do not occur in text. */
function readsAsText(data: Uint8Array, contentType: string): boolean {
  return isWide(data, contentType) || !data.subarray(0, SNIFFED_BYTES).some(isBinaryByte);
}

/** The bytes that WHATWG's MIME sniffing takes as a sign that something is no text. */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b);
}
