/** Whether `value` has members: also an instance of a class, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in one line of a message. */
export function shown(value: unknown): string {
  const text = Deno.inspect(value, { depth: 1, compact: true, breakLength: Infinity });
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
