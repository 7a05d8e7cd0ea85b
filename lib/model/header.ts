/** Whether `name` can be the name of an HTTP header. */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/**
 * Whether `fetch` takes `text` as the value of a header: one line without control characters or any
 * beyond Latin-1. Blanks and line breaks around it do not count, as `fetch` drops them.
 */
export function isHeaderValue(text: string): boolean {
  return /^[\t\n\r ]*[\t\x20-\x7e\x80-\xff]*[\t\n\r ]*$/.test(text);
}

/** What is wrong with a key that is none: ends the sentence `<setting> …`. */
export const NO_KEY = "has a character that no key has: a line break or one beyond Latin-1";
