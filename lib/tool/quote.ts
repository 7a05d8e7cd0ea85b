/** How much of what came, in characters, an error quotes. */
const QUOTED_LENGTH = 200;

/**
 * `value` as JSON for an error text, shortened; text that is no JSON value reads `nothing`. Numbers
 * keep their names: `1e999` is read as Infinity, of which JSON would make null.
 */
export function quote(value: unknown, length: number = QUOTED_LENGTH): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  return shorten(JSON.stringify(value), length);
}

/** The first `length` characters, with a mark where there was more. */
export function shorten(text: string, length: number = QUOTED_LENGTH): string {
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length <= length ? text : `${characters.slice(0, length).join("")}…`;
}
