import { lineStart } from "./text.ts";

const CR = 0x0d;
const LF = 0x0a;

export interface Replacement {
  readonly data: Uint8Array<ArrayBuffer>;
  /** How many matches were replaced. */
  readonly count: number;
}

/**
 * Replaces every literal match of `old` from line `startLine` (0-based) on. Works on bytes, so all
 * outside the matches stays as it was, whatever its encoding. A newline of `old` also matches a
 * CRLF; the newlines of `fresh` become CRLF where the lines around the match end so. Matches don't
 * overlap. `old` must not be empty. Throws `invalid_input` when there is no line `startLine`.
 */
export function replaceBytes(
  data: Uint8Array<ArrayBuffer>,
  old: Uint8Array,
  fresh: Uint8Array<ArrayBuffer>,
  startLine: number,
): Replacement {
  const start = lineStart((from) => data.indexOf(LF, from), data.length, startLine, "start");
  const freshCrlf = data.includes(CR) ? withCrlf(fresh) : fresh;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let position = 0;
  for (let match = find(data, old, start); match !== undefined; match = find(data, old, position)) {
    parts.push(data.subarray(position, match.start));
    parts.push(endsInCrlf(data, match) ? freshCrlf : fresh);
    position = match.end;
  }
  parts.push(data.subarray(position));
  return { data: concatenate(parts), count: (parts.length - 1) / 2 };
}

interface Match {
  readonly start: number;
  readonly end: number;
}

function find(data: Uint8Array, old: Uint8Array, from: number): Match | undefined {
  const first = old[0] ?? LF;
  for (let at = data.indexOf(first, from); at !== -1; at = data.indexOf(first, at + 1)) {
    // Half a CRLF is never matched alone: the other half would be left behind.
    const start = first === LF && at > from && data[at - 1] === CR ? at - 1 : at;
    const end = matchEnd(data, old, start);
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

/** Where a match that begins at `start` ends. */
function matchEnd(data: Uint8Array, old: Uint8Array, start: number): number | undefined {
  let at = start;
  for (let i = 0; i < old.length; i++) {
    const bareNewline = old[i] === LF && old[i - 1] !== CR;
    if (bareNewline && data[at] === CR && data[at + 1] === LF) at++;
    if (data[at] !== old[i]) return undefined;
    at++;
  }
  return at;
}

/** Whether the first newline in or after the match is a CRLF; without one, the last before it. */
function endsInCrlf(data: Uint8Array, match: Match): boolean {
  let newline = data.indexOf(LF, match.start);
  if (newline === -1) newline = data.lastIndexOf(LF, match.start);
  return newline > 0 && data[newline - 1] === CR;
}

function withCrlf(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  text.forEach((byte, i) => {
    if (byte === LF && text[i - 1] !== CR) bytes.push(CR);
    bytes.push(byte);
  });
  return new Uint8Array(bytes);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
