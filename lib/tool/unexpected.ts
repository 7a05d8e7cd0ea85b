/** Says what a hook should have returned, and what it did. */
export function unexpected(expected: string, value: unknown): TypeError {
  return new TypeError(`expected ${expected}, got ${Deno.inspect(value, { depth: 2 })}`);
}
