const MASK = "[key]";

/** Texts that look like keys of the usual providers, and authorisation headers. */
const KEY_LIKE =
  /\b(?:sk|pk|rk|gsk|xai)[-_][\w*-]{6,}|\bAIza[\w-]{10,}|\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/g;

/**
 * `text` without keys: the given ones (those under 4 characters are left alone, they would match
 * ordinary words) and whatever looks like one.
 */
export function maskKeys(text: string, keys: readonly string[]): string {
  let masked = text;
  for (const key of keys) {
    if (key.length >= 4) masked = masked.replaceAll(key, MASK);
  }
  return masked.replaceAll(
    KEY_LIKE,
    (_, scheme?: string) => scheme === undefined ? MASK : `${scheme} ${MASK}`,
  );
}

/** User name and password in front of the host of an address, as far as browsers read one. */
const LOGIN = /^(\s*(?:https?:[/\\]*|[a-z][\w+.-]*:[/\\]{2}))[^/\\?#]*@/i;

/** A replacer for `JSON.stringify` that hides the login in each text that is an address. */
export function hideLogin(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(LOGIN, "$1(hidden)@") : value;
}
