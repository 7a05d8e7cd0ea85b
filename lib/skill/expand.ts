import { toBubError } from "../errors.ts";
import type { Skill, Skills } from "./skill.ts";

/** `$name`, not part of a longer word and not behind a backslash or another dollar sign. */
const MENTION = /(?<![\w$\\])\$([a-z0-9]+(?:[-_][a-z0-9]+)*)(?!\w)/gi;

/**
 * The prompt with the text of every skill that it names as `$name` at its end, each once, in the
 * order they are named; the words themselves stay. What is no skill that may be used (`$PATH`) is
 * left alone, and so is `\$name`; nothing else escapes it, code neither.
 */
export async function expandSkills(
  prompt: string,
  skills: Skills,
  warn: (message: string) => void,
): Promise<string> {
  const names = new Set(prompt.matchAll(MENTION).map(([, name = ""]) => name.toLowerCase()));
  if (names.size === 0) return prompt;
  const found = await Promise.all([...names].map((name) => skills.find(name)));
  const named = found.filter((skill) => skill !== undefined);
  const blocks = await Promise.all(named.map((skill) => block(skill, warn)));
  return [prompt, ...blocks.flat()].join("\n\n");
}

async function block(skill: Skill, warn: (message: string) => void): Promise<string[]> {
  const { name, location } = skill;
  try {
    const body = await skill.body();
    return [`<skill name="${name}" location=${JSON.stringify(location)}>\n${body}\n</skill>`];
  } catch (thrown) {
    warn(`$${name} is not expanded: ${location}: ${toBubError(thrown).message}`);
    return [];
  }
}
