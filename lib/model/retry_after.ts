/**
 * How long a provider asks to wait, in seconds, from `retry-after-ms` or `retry-after` (a number of
 * seconds or an HTTP date; a date that has passed is 0). Undefined for whatever says nothing
 * sensible: garbage, zero or negative numbers.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = positive(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = positive(value);
  if (seconds !== undefined) return seconds;
  // Only what looks like a date: `Date.parse` makes one of "-5" and of "0".
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/** `33s`, as Google writes it into the body of an error. */
export function durationSeconds(value: unknown): number | undefined {
  return typeof value === "string" && /^[\d.]+s$/.test(value)
    ? positive(value.slice(0, -1))
    : undefined;
}

function positive(value: string | null): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
