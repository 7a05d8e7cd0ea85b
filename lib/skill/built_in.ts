import { splitFrontMatter } from "./front_matter.ts";
import type { Skill } from "./skill.ts";

/**
 * The skills that are part of the program. Name and description stand here too, because the first
 * request of every run needs them and no file is read for it; a test compares the two.
 */
export const builtInSkills: readonly Skill[] = [
  {
    name: "bub",
    description:
      "How to use bub, the program this agent runs in: one-shot runs in scripts and CI, sessions, " +
      "text commands, tapes, settings. Use it when bub itself is to be run, scripted or explained.",
    source: "built-in",
    location: "built-in:bub",
    allowedTools: undefined,
    async body() {
      const file = await import("./built_in/bub/SKILL.md", { with: { type: "text" } });
      return bodyOf(file.default);
    },
  },
];

function bodyOf(text: string): string {
  const parts = splitFrontMatter(text);
  return typeof parts === "string" ? text : parts.body.trim();
}
