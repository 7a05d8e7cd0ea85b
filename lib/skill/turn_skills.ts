import { alternatives, closeMatches } from "../close_match.ts";
import { BubError } from "../errors.ts";
import type { Skill, Skills } from "./skill.ts";

/** The skills of one turn, discovered at most once. */
export class TurnSkills implements Skills {
  readonly #allowed: readonly string[] | undefined;
  readonly #discover: () => Promise<readonly Skill[]>;
  #found: Promise<readonly Skill[]> | undefined;

  constructor(
    allowed: readonly string[] | undefined,
    discover: () => Promise<readonly Skill[]>,
  ) {
    this.#allowed = allowed;
    this.#discover = discover;
  }

  list(): Promise<readonly Skill[]> {
    return this.#found ??= this.#select();
  }

  async find(name: string): Promise<Skill | undefined> {
    return findSkill(name, await this.list());
  }

  async #select(): Promise<readonly Skill[]> {
    const allowed = this.#allowed;
    if (allowed?.length === 0) return [];
    const skills = await this.#discover();
    return allowed === undefined ? skills : chooseSkills(allowed, skills);
  }
}

/** The skill of that name, in any case. */
export function findSkill(name: string, skills: readonly Skill[]): Skill | undefined {
  const wanted = name.trim().toLowerCase();
  return skills.find((skill) => skill.name.toLowerCase() === wanted);
}

/** Only the named ones. Throws `config` for a name that is no skill, with the close ones. */
export function chooseSkills(
  names: readonly string[],
  skills: readonly Skill[],
): readonly Skill[] {
  const chosen = new Set(names.map((name) => {
    const skill = findSkill(name, skills);
    if (skill === undefined) throw new BubError("config", unknownSkill(name, skills));
    return skill;
  }));
  return skills.filter((skill) => chosen.has(skill));
}

function unknownSkill(name: string, skills: readonly Skill[]): string {
  const close = closeMatches(name, skills.map((skill) => skill.name));
  const hint = close.length === 0
    ? "bub skills lists them"
    : `did you mean ${alternatives(close)}?`;
  return `there is no skill ${JSON.stringify(name)}; ${hint}`;
}
