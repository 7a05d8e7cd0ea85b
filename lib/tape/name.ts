import { md5 } from "@noble/hashes/legacy.js";
import { BubError } from "../errors.ts";

const SIDECAR_MARK = "__sidecar__";

/**
 * The tape of a session (TP1), the same as Python Bub's. `workspace` must be the absolute real
 * path of the folder: two spellings of one folder would be two tapes.
 */
export function tapeName(workspace: string, sessionId: string): string {
  return `${shortHash(workspace)}__${shortHash(sessionId)}`;
}

/**
 * The sibling of a tape for `sidecar`. Throws `invalid_input` for anything but lower-case letters,
 * digits and single `_` or `-` between them, so that names can be told apart again.
 */
export function sidecarName(tape: string, sidecar: string): string {
  if (!/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/.test(sidecar) || sidecar.length > 64) {
    throw new BubError(
      "invalid_input",
      `sidecar names are up to 64 lower-case letters, digits and single _ or -, got ${
        JSON.stringify(sidecar)
      }`,
    );
  }
  if (isSidecar(tape)) {
    throw new BubError("invalid_input", `tape "${tape}" is a sidecar and cannot have one itself`);
  }
  return `${checkTapeName(tape)}${SIDECAR_MARK}${sidecar}`;
}

export function isSidecar(tape: string): boolean {
  return tape.includes(SIDECAR_MARK);
}

/** The tape that a sidecar belongs to; any other tape itself. */
export function mainTape(tape: string): string {
  return tape.split(SIDECAR_MARK, 1)[0] ?? tape;
}

/** What a sidecar is called beside its main tape, such as `spill`; null for any other tape. */
export function sidecarLabel(tape: string): string | null {
  return isSidecar(tape) ? tape.slice(mainTape(tape).length + SIDECAR_MARK.length) : null;
}

/**
 * Whether `tape` can name a file on every system: letters, digits, `_`, `-` and inner dots, at most
 * 200 characters.
 */
export function isTapeName(tape: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/.test(tape);
}

/** Returns `tape` when it can be the name of one, else throws `invalid_input`. */
export function checkTapeName(tape: string): string {
  if (isTapeName(tape)) return tape;
  throw new BubError(
    "invalid_input",
    `tape names are 1 to 200 letters, digits, _, - and dots, not starting with a dot, got ${
      JSON.stringify(tape)
    }`,
  );
}

/** The first 16 hex digits of the MD5 of a text in UTF-8. */
function shortHash(text: string): string {
  return md5(new TextEncoder().encode(text)).subarray(0, 8).toHex();
}
