/** Where skills come from, strongest first: of equal names the first one counts. */
export const SKILL_SOURCES = ["workspace", "user", "built-in"] as const;
export type SkillSource = typeof SKILL_SOURCES[number];

/** Instructions for one kind of task, in a folder of their own with whatever they need. */
export interface Skill {
  /** As its folder is called; told from others without regard to case. */
  readonly name: string;
  /** What it is for and when to use it. */
  readonly description: string;
  readonly source: SkillSource;
  /** Absolute path of its `SKILL.md`; `built-in:<name>` for one that is part of the program. */
  readonly location: string;
  /** The tools it says its task needs; undefined: it says nothing about that. */
  readonly allowedTools: readonly string[] | undefined;
  /** Reads its text below the front matter, `$SKILL_DIR` replaced by its folder. */
  body(): Promise<string>;
}

/** The skills that one turn may use. Nothing is looked up before the first question. */
export interface Skills {
  /** Sorted by name. Throws `config` when the turn was given a name that is no skill. */
  list(): Promise<readonly Skill[]>;
  /** The skill of that name, in any case; undefined also for one the turn may not use. */
  find(name: string): Promise<Skill | undefined>;
}

/** What a user should know about a folder among the skills, or of skills. */
export interface SkillProblem {
  /** A warning is told in every run, a notice only by `bub skills`. */
  readonly severity: "warning" | "notice";
  /** Absolute path of the file or folder. */
  readonly location: string;
  readonly reason: string;
  /** The location is a root, and there are skills taken from it all the same. */
  readonly partial?: true;
}
