import { editDistance } from "../close_match.ts";
import { BubError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { readHeader } from "./yaml.ts";

/** What the front matter of a skill says, checked. */
export interface SkillHeader {
  readonly name: string;
  readonly description: string;
  readonly allowedTools: readonly string[] | undefined;
  /** What is wrong with fields that nothing depends on. */
  readonly remarks: readonly string[];
}

/** Letters and digits, single hyphens between. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i;
const MAX_NAME_LENGTH = 64;

/** The field with the limits of a skill. */
const LIMITS = "allowed-tools";
/** Those that nothing depends on. */
const OPTIONAL = ["license", "compatibility", "metadata"];

/**
 * Reads the front matter of the skill in a folder of that name. Throws `tool` with the reason why
 * the skill cannot be used. Limits that cannot be read, or whose field is misspelt, are one: a skill
 * is never taken for freer than its author meant it to be.
 */
export async function parseHeader(header: string, folder: string): Promise<SkillHeader> {
  const fields = await readHeader(header);
  refuseMisspeltLimits(fields);
  return {
    name: checkedName(fields.get("name"), folder),
    description: prose("description", fields.get("description")),
    allowedTools: fields.has(LIMITS) ? toolNames(fields.get(LIMITS)) : undefined,
    remarks: remarks(fields),
  };
}

function checkedName(value: unknown, folder: string): string {
  const name = prose("name", value);
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new BubError(
      "tool",
      `its name must be up to ${MAX_NAME_LENGTH} letters and digits with single hyphens between, ` +
        `not ${JSON.stringify(name.slice(0, 2 * MAX_NAME_LENGTH))}`,
    );
  }
  if (name.toLowerCase() === folder.toLowerCase()) return name;
  throw new BubError(
    "tool",
    `its name is ${JSON.stringify(name)} but its folder ${JSON.stringify(folder)}; ` +
      `they must be the same`,
  );
}

function prose(field: string, value: unknown): string {
  if (value === undefined || value === null) {
    throw new BubError("tool", `its front matter has no ${field}`);
  }
  if (typeof value !== "string") {
    const hint = isJsonObject(value) || Array.isArray(value) ? "" : "; put it in quotes";
    throw new BubError("tool", `its ${field} must be text, not ${typeName(value)}${hint}`);
  }
  const text = value.trim();
  if (text === "") throw new BubError("tool", `its ${field} is empty`);
  return text;
}

/** `fs.read bash(git add *)`, with blanks or commas between, or a list of such names. */
function toolNames(value: unknown): readonly string[] {
  if (typeof value === "string" && value.trim() !== "") {
    return value.match(/(?:\([^)]*\)|[^\s,])+/g) ?? [];
  }
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new BubError(
    "tool",
    `its ${LIMITS} must be names of tools, as text or as a list, not ${typeName(value)}`,
  );
}

function refuseMisspeltLimits(fields: ReadonlyMap<string, unknown>): void {
  for (const field of fields.keys()) {
    if (field === LIMITS || !isNearly(field, LIMITS)) continue;
    throw new BubError("tool", `its front matter has ${field}, which must be called ${LIMITS}`);
  }
}

function remarks(fields: ReadonlyMap<string, unknown>): readonly string[] {
  const misspelt = [...fields.keys()].filter((field) => !OPTIONAL.includes(field))
    .flatMap((field) => {
      const meant = OPTIONAL.find((known) => isNearly(field, known));
      return meant === undefined ? [] : [`its ${field} must be called ${meant}; it is ignored`];
    });
  const wrong = OPTIONAL.filter((field) => fields.has(field)).flatMap((field) => {
    const value = fields.get(field);
    const isText = field !== "metadata";
    if (isText ? typeof value === "string" : isJsonObject(value)) return [];
    const expected = isText ? "text" : "a mapping";
    return [`its ${field} is ${typeName(value)} where ${expected} belongs; it is ignored`];
  });
  return [...misspelt, ...wrong];
}

/** Whether a field is another one with up to two slips, signs between its words not counted. */
function isNearly(field: string, known: string): boolean {
  const letters = (name: string) => name.replaceAll(/[^a-z]/g, "");
  const [written, right] = [letters(field), letters(known)];
  // Shorter than what could be a slip, or so long that comparing would take its time.
  return Math.abs(written.length - right.length) <= 2 && editDistance(written, right) <= 2;
}

/** Never looks inside: what aliases share may be endless when it is written out. */
function typeName(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return value.trim() === "" ? "empty text" : "text";
  return `the ${typeof value} ${String(value)}`;
}
