import type { Skill } from "./skill.ts";

/** Characters of one description in the system prompt; the format allows 1,024. */
const DESCRIPTION_LENGTH = 400;
/** Characters of the whole list there. */
const LIST_LENGTH = 8_000;

/** One line that names a skill and says what it is for. */
export function skillLine({ name, description }: Skill): string {
  return `${name}: ${description.replaceAll(/\s+/g, " ")}`;
}

/**
 * The section of the system prompt about skills: names and descriptions, bounded (S2). `reader` is
 * how the model calls the tool that reads them.
 */
export function skillsPrompt(skills: readonly Skill[], reader: string): string {
  const lines: string[] = [];
  let left = LIST_LENGTH;
  for (const skill of skills) {
    const line = `- ${shorten(skillLine(skill), skill.name.length + DESCRIPTION_LENGTH)}`;
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  const more = skills.length - lines.length;
  return [
    "Skills, instructions for special tasks. Before a task that one of them fits, read it: " +
    `${reader}(name) returns its text.`,
    ...lines,
    ...(more === 0 ? [] : [`(and ${more} more; ${reader} without a name lists all)`]),
  ].join("\n");
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${Array.from(text).slice(0, length).join("")}…`;
}
