import type { Skill, Skills } from "../../lib/skill/skill.ts";
import { TurnSkills } from "../../lib/skill/turn_skills.ts";

/** Skills by name and text; a text of null cannot be read. */
export function skillsOf(texts: Readonly<Record<string, string | null>>): readonly Skill[] {
  return Object.entries(texts).map(([name, text]) => ({
    name,
    description: `About ${name}.`,
    source: "workspace",
    location: `/skills/${name}/SKILL.md`,
    allowedTools: undefined,
    body: () => text === null ? Promise.reject(new Error("gone")) : Promise.resolve(text),
  }));
}

/** The skills of a turn. */
export function turnSkills(skills: readonly Skill[], allowed?: readonly string[]): Skills {
  return new TurnSkills(allowed, () => Promise.resolve(skills));
}
