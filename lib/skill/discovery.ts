import type { Environment } from "../environment/environment.ts";
import { readRoot, type SkillRoot } from "./root.ts";
import type { Skill, SkillProblem } from "./skill.ts";

/** What skills there are, one a name, and what is wrong with the others. */
export interface Discovery {
  /** Sorted by name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

/** Where folders with skills are looked for, strongest first. */
const ROOTS: readonly SkillRoot[] = [
  { source: "workspace", path: ".agents/skills" },
  { source: "user", path: "~/.agents/skills" },
];

/**
 * Looks for skills in the workspace and in the user's home, and adds the built-in ones. Never
 * rejects for what lies in a folder: that is in the problems.
 */
export async function discoverSkills(
  environment: Environment,
  builtIn: readonly Skill[],
): Promise<Discovery> {
  const roots = await Promise.all(
    usableRoots(environment).map((root) => readRoot(root, environment)),
  );
  const { first, shadowed } = firstOfEachName([
    ...roots.flatMap(({ skills }) => skills),
    ...builtIn,
  ]);
  return {
    skills: first.sort((a, b) => a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
    problems: [...roots.flatMap(({ problems }) => problems), ...shadowed],
  };
}

/** The roots with absolute paths, each once: the workspace may be the home itself, or have none. */
function usableRoots(environment: Environment): readonly SkillRoot[] {
  const found = new Map<string, SkillRoot>();
  for (const { source, path: given } of ROOTS) {
    const path = resolved(given, environment);
    if (path !== undefined && !found.has(path)) found.set(path, { source, path });
  }
  return [...found.values()];
}

function resolved(path: string, environment: Environment): string | undefined {
  try {
    return environment.resolve(path);
  } catch {
    return undefined;
  }
}

function firstOfEachName(skills: readonly Skill[]) {
  const byName = new Map<string, Skill>();
  const shadowed: SkillProblem[] = [];
  for (const skill of skills) {
    const key = skill.name.toLowerCase();
    const first = byName.get(key);
    if (first === undefined) {
      byName.set(key, skill);
      continue;
    }
    const reason = `another skill called ${first.name} comes before it: ${first.location}`;
    shadowed.push({ severity: "notice", location: skill.location, reason });
  }
  return { first: [...byName.values()], shadowed };
}
