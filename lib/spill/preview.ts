/** The first and the last characters of a text that is too long to be shown whole. */
export interface Preview {
  readonly head: string;
  readonly tail: string;
}

/** Whether `text` has more than `limit` characters; a long text is not counted to its end. */
export function isLongerThan(text: string, limit: number): boolean {
  // A character takes one or two units: most texts need no counting.
  if (text.length <= limit) return false;
  return text.length > 2 * limit || headLength(text, limit) < text.length;
}

/** The first and the last half of `characters`, no character split and none shown twice. */
export function preview(text: string, characters: number): Preview {
  const half = Math.floor(characters / 2);
  const headEnd = headLength(text, characters - half);
  return {
    head: text.slice(0, headEnd),
    tail: text.slice(Math.max(headEnd, tailStart(text, half))),
  };
}

/** How many units the first `characters` take. */
function headLength(text: string, characters: number): number {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count++) {
    at += isPair(text, at) ? 2 : 1;
  }
  return at;
}

/** At which unit the last `characters` start. */
function tailStart(text: string, characters: number): number {
  let at = text.length;
  for (let count = 0; count < characters && at > 0; count++) {
    at -= at > 1 && isPair(text, at - 2) ? 2 : 1;
  }
  return at;
}

/** Whether a character of two units, a pair of surrogates, starts at `at`. */
function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
