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
