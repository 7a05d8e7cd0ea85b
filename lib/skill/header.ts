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

/** Letters and digits, hyphens between; some use underscores. */
const NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/i;
const MAX_NAME_LENGTH = 64;

/**
 * Reads the front matter of the skill in a folder of that name. Throws `tool` with the reason why
 * the skill cannot be used. Limits that cannot be read are one: a skill is never taken for freer
 * than its author meant it to be.
 */
export async function parseHeader(header: string, folder: string): Promise<SkillHeader> {
  const fields = await readHeader(header);
  return {
    name: checkedName(fields.get("name"), folder),
    description: prose("description", fields.get("description")),
    allowedTools: fields.has("allowed-tools") ? toolNames(fields.get("allowed-tools")) : undefined,
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
    `its allowed-tools must be names of tools, as text or as a list, not ${typeName(value)}`,
  );
}

function remarks(fields: ReadonlyMap<string, unknown>): readonly string[] {
  const wrong = (field: string, expected: string) =>
    `its ${field} is ${typeName(fields.get(field))} where ${expected} belongs; it is ignored`;
  const remarks = ["license", "compatibility"]
    .filter((field) => fields.has(field) && typeof fields.get(field) !== "string")
    .map((field) => wrong(field, "text"));
  return fields.has("metadata") && !isJsonObject(fields.get("metadata"))
    ? [...remarks, wrong("metadata", "a mapping")]
    : remarks;
}

/** Never looks inside: what aliases share may be endless when it is written out. */
function typeName(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return value.trim() === "" ? "empty text" : "text";
  return `the ${typeof value} ${String(value)}`;
}
