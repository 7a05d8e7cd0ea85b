import { BubError } from "../errors.ts";

/**
 * Bytes as text, a leading byte-order mark left out. Strict: throws `tool` with the position of
 * the first byte that is no UTF-8; `name` is what the error calls the source.
 */
export function decodeText(data: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch (cause) {
    const at = invalidByte(data);
    const hex = (data[at] ?? 0).toString(16).padStart(2, "0");
    throw new BubError(
      "tool",
      `${name} is not UTF-8 text: byte ${at} (counted from 0) is 0x${hex}`,
      { cause },
    );
  }
}

/** Text on one line: line breaks and other control characters become blanks. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** Text as UTF-8. Throws `invalid_input` for half a surrogate pair, which has no bytes. */
export function encodeText(text: string, name: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) {
    throw new BubError(
      "invalid_input",
      `${name} holds half a surrogate pair, which is no character`,
    );
  }
  return new TextEncoder().encode(text);
}

/**
 * The lines from `offset` (0-based) on, at most `limit` (null: all), each with its ending (`\n` or
 * `\r\n`) as it is. Throws `invalid_input` with the number of lines for an offset past the end,
 * save 0 of an empty text.
 */
export function sliceLines(text: string, offset: number, limit: number | null): string {
  if (offset === 0 && limit === null) return text;
  const start = lineStart((from) => text.indexOf("\n", from), text.length, offset, "offset");
  let end = text.length;
  if (limit !== null) {
    let next = start;
    for (let lines = 0; lines < limit && next < text.length; lines++) {
      const newline = text.indexOf("\n", next);
      next = newline === -1 ? text.length : newline + 1;
    }
    end = next;
  }
  return text.slice(start, end);
}

/**
 * Where line `line` (0-based) starts, for text or bytes: `newlineFrom` finds the next newline, or
 * -1. Throws `invalid_input` when there is no such line (line 0 there always is); `name` is the
 * parameter that asked for it.
 */
export function lineStart(
  newlineFrom: (position: number) => number,
  length: number,
  line: number,
  name: string,
): number {
  let start = 0;
  for (let lines = 0; lines < line; lines++) {
    const newline = newlineFrom(start);
    const next = newline === -1 ? length : newline + 1;
    if (next >= length) {
      const total = length === 0 ? 0 : lines + 1;
      const count = total === 1 ? "1 line" : `${total} lines`;
      throw new BubError("invalid_input", `${name} ${line} is past the end (${count})`);
    }
    start = next;
  }
  return start;
}

/** Offset of the first byte that is no UTF-8; a real U+FFFD in the text is not mistaken for one. */
function invalidByte(data: Uint8Array): number {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  const encoder = new TextEncoder();
  let offset = 0;
  let from = 0;
  for (let mark = text.indexOf("\uFFFD"); mark !== -1; mark = text.indexOf("\uFFFD", from)) {
    offset += encoder.encode(text.slice(from, mark)).length;
    const real = data[offset] === 0xef && data[offset + 1] === 0xbf && data[offset + 2] === 0xbd;
    if (!real) break;
    offset += 3;
    from = mark + 1;
  }
  return offset;
}
