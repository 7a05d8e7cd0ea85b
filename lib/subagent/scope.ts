import { BubError } from "../errors.ts";
import type { Skills } from "../skill/skill.ts";
import { TurnSkills } from "../skill/turn_skills.ts";
import { suggestTools, type ToolRegistry } from "../tool/registry.ts";
import { modelAlias } from "../tool/tool.ts";

/** `subagent` and its family, in either form of the name: no subagent has them. */
const FAMILY = /^\s*subagent(?:[._]|\s*$)/i;

/**
 * The tools of a subagent (A4): the parent's, or those of them that are allowed. Throws
 * `invalid_input` for one that the parent does not have itself. `profile` is where they may be from.
 */
export function subagentTools(
  parent: ToolRegistry,
  allowed: readonly string[] | null,
  profile: string | null = null,
): ToolRegistry {
  const inherited = parent.scope(
    parent.forTurn().map(({ name }) => name).filter((name) => !FAMILY.test(name)),
  );
  if (allowed === null) return inherited;
  const wanted = allowed.filter((name) => !FAMILY.test(name));
  const beyond = wanted.find((name) => inherited.find(name) === undefined);
  if (beyond !== undefined) {
    const close = suggestTools(beyond, inherited.tools).map(modelAlias);
    const meant = close.length === 0 ? "" : `, did you mean ${close.join(" or ")}?`;
    const known = inherited.tools.map(({ name }) => modelAlias(name)).join(", ") || "none";
    throw new BubError(
      "invalid_input",
      `allowed_tools${profile === null ? "" : ` (agent ${JSON.stringify(profile)})`}: ` +
        `${JSON.stringify(beyond)} is not among this turn's tools${
          meant || ";"
        } there are: ${known}`,
    );
  }
  return inherited.scope(wanted);
}

/** The skills of a subagent, alike; `[]` turns them off. */
export async function subagentSkills(
  parent: Skills,
  allowed: readonly string[] | null,
): Promise<Skills> {
  if (allowed === null) return parent;
  for (const name of allowed) {
    if (await parent.find(name) !== undefined) continue;
    const known = (await parent.list()).map((skill) => skill.name).join(", ") || "none";
    throw new BubError(
      "invalid_input",
      `allowed_skills: there is no skill ${JSON.stringify(name)} here; there are: ${known}`,
    );
  }
  return new TurnSkills(allowed, () => parent.list());
}

/** What a task may go on with (A8): of what was allowed then, that which still is there. */
export async function stillAllowed(
  { tools, skills }: { readonly tools: ToolRegistry; readonly skills: Skills },
  allowed: {
    readonly tools: readonly string[] | null;
    readonly skills: readonly string[] | null;
  },
): Promise<
  { readonly tools: readonly string[] | null; readonly skills: readonly string[] | null }
> {
  const known = allowed.skills === null ? [] : (await skills.list()).map(({ name }) => name);
  const names = new Set(known.map((name) => name.toLowerCase()));
  return {
    tools: allowed.tools?.filter((name) => tools.find(name) !== undefined) ?? null,
    skills: allowed.skills?.filter((name) => names.has(name.trim().toLowerCase())) ?? null,
  };
}
