import { BubError } from "../errors.ts";
import { isJsonObject } from "../json.ts";

/** Enough for any honest header; each alias costs the reader nothing but must cost us nothing. */
const MAX_ALIASES = 20;
const MAX_DEPTH = 20;

/** Fields that hold prose, in which people write a colon without quotes. */
const PROSE = /^(description|license|compatibility)([ \t]*):[ \t]+(.*)$/i;
/** What can only be read one way when quotes are put around it: no YAML mark at its start. */
const PLAIN = /^[^\s"'|>[\]{}&*!#%@`,?:-]/;

/**
 * The fields of a header by their names in lower case. Values are what YAML 1.2's core schema makes
 * of them. A header that is no YAML only because of a colon in its prose (`description: Use when: …`)
 * is read as if the prose stood in quotes. Throws `tool` with the reason, and the line where there
 * is one.
 */
export async function readHeader(header: string): Promise<ReadonlyMap<string, unknown>> {
  if (header.trim() === "") throw invalid("is empty");
  // Loaded when there is a skill to read: it takes 8 ms, and most folders have none.
  const { CORE_SCHEMA, load, YAMLException } = await import("js-yaml");
  const parse = (text: string) =>
    load(text, { schema: CORE_SCHEMA, maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH });
  let value: unknown;
  try {
    value = parse(header);
  } catch (strict) {
    try {
      value = parse(quoteProse(header));
    } catch {
      if (!(strict instanceof YAMLException)) throw strict;
      // Line 1 of the file is the mark before the header.
      const line = strict.mark === undefined ? "" : ` in line ${strict.mark.line + 2}`;
      throw invalid(`is no valid YAML${line}: ${strict.reason}`, strict);
    }
  }
  if (!isJsonObject(value)) throw invalid(`must be lines of the form "name: value"`);
  const fields = new Map<string, unknown>();
  for (const [key, field] of Object.entries(value)) {
    const name = key.toLowerCase();
    if (fields.has(name)) throw invalid(`has ${name} twice`);
    fields.set(name, field);
  }
  return fields;
}

/** The header with quotes around prose of one line that holds a colon. */
function quoteProse(header: string): string {
  const lines = header.split(/\r?\n/);
  return lines.map((line, index) => {
    const [, name, blanks, rest = ""] = PROSE.exec(line) ?? [];
    // A comment ends plain text in YAML, and still does.
    const text = rest.replace(/[ \t]#.*$/, "").trimEnd();
    const goesOn = /^[ \t]+\S/.test(lines[index + 1] ?? "");
    if (name === undefined || goesOn || !PLAIN.test(text) || !/:(?:[ \t]|$)/.test(text)) {
      return line;
    }
    return `${name}${blanks}: ${JSON.stringify(text)}`;
  }).join("\n");
}

function invalid(what: string, cause?: unknown): BubError {
  return new BubError("tool", `its front matter ${what}`, { cause });
}
