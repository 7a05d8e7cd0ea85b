import type { Environment } from "../environment/environment.ts";
import { discoverSkills, type Discovery } from "./discovery.ts";
import type { Skill, Skills } from "./skill.ts";
import { TurnSkills } from "./turn_skills.ts";

export interface OpenSkillsOptions {
  /** The names of those that may be used; undefined: all, `[]`: none. */
  readonly allowed: readonly string[] | undefined;
  /** Takes one sentence about each skill that cannot be used, and each root that has too many. */
  readonly warn: (message: string) => void;
}

/** Where the turns of a program get their skills. */
export class SkillCatalog {
  readonly #environment: Environment;
  readonly #builtIn: readonly Skill[];
  /** What has been warned of: not again with every turn. */
  readonly #told = new Set<string>();

  constructor(environment: Environment, builtIn: readonly Skill[]) {
    this.#environment = environment;
    this.#builtIn = builtIn;
  }

  /** Everything there is at this moment. */
  inspect(): Promise<Discovery> {
    return discoverSkills(this.#environment, this.#builtIn);
  }

  /** The skills of one turn: looked for when first asked about, and only then. */
  open({ allowed, warn }: OpenSkillsOptions): Skills {
    return new TurnSkills(allowed, () => this.#discover(warn));
  }

  async #discover(warn: (message: string) => void): Promise<readonly Skill[]> {
    const { skills, problems } = await this.inspect();
    for (const { severity, location, reason, partial } of problems) {
      const what = partial === true ? "not every skill is" : "no skill is";
      const message = `${what} taken from ${location}: ${reason}`;
      if (severity !== "warning" || this.#told.has(message)) continue;
      this.#told.add(message);
      warn(message);
    }
    return skills;
  }
}
