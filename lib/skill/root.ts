import { join } from "@std/path";
import type { Environment, FolderEntry } from "../environment/environment.ts";
import { toBubError } from "../errors.ts";
import type { Skill, SkillProblem, SkillSource } from "./skill.ts";
import { readBody, readHeaderText } from "./skill_file.ts";

// Named by a variable, so that Deno loads it with the first skill and not before (see main.ts).
const HEADER = "./header.ts";

/** A folder whose direct children are skills. */
export interface SkillRoot {
  readonly source: SkillSource;
  readonly path: string;
}

/** What one root holds, in order of the folders' names. */
export interface RootContent {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

/** What every skill has. */
const FILE_NAME = "SKILL.md";
/** Folders of one root that are looked into; a person has a few dozen. */
const MAX_FOLDERS = 1000;
/** Folders that are looked into at once. */
const AT_ONCE = 32;

/**
 * Reads the front matter of every skill in a root (absolute path). Nothing below its direct
 * children is entered, so that links may lead anywhere: to a skill, to a parent, to each other.
 */
export async function readRoot(root: SkillRoot, environment: Environment): Promise<RootContent> {
  const problems: SkillProblem[] = [];
  const entries = await candidates(root, environment, problems);
  const skills: Skill[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const read = entries.slice(start, start + AT_ONCE).map((entry) =>
      readFolder(entry, root, environment)
    );
    for (const { skill, problems: found } of await Promise.all(read)) {
      if (skill !== undefined) skills.push(skill);
      problems.push(...found);
    }
  }
  return { skills, problems };
}

/** The folders, and the links that may lead to one. */
async function candidates(
  { path }: SkillRoot,
  environment: Environment,
  problems: SkillProblem[],
): Promise<readonly FolderEntry[]> {
  let entries: readonly FolderEntry[];
  try {
    entries = await environment.listFolder(path);
  } catch (thrown) {
    const { kind, message: reason } = toBubError(thrown);
    // A root outside of the scope is the user's own choice, not news in every run.
    const severity = kind === "permission" ? "notice" : "warning";
    if (kind !== "not_found") problems.push({ severity, location: path, reason });
    return [];
  }
  const folders = entries
    .filter(({ name, kind }) =>
      (kind === "directory" || kind === "link") && !name.startsWith(".") && name !== "node_modules"
    )
    .sort((a, b) => a.name < b.name ? -1 : 1);
  if (folders.length > MAX_FOLDERS) {
    const reason =
      `it has ${folders.length} folders; only the first ${MAX_FOLDERS} by name are looked into`;
    problems.push({ severity: "warning", location: path, reason, partial: true });
  }
  return folders.slice(0, MAX_FOLDERS);
}

interface FolderContent {
  readonly skill?: Skill;
  readonly problems: readonly SkillProblem[];
}

/** The skill in one child of a root, or why there is none; a folder that is no skill is neither. */
async function readFolder(
  { name, kind }: FolderEntry,
  { path: root, source }: SkillRoot,
  environment: Environment,
): Promise<FolderContent> {
  const folder = join(root, name);
  const location = join(folder, FILE_NAME);
  try {
    if (kind === "link" && (await environment.stat(folder)).kind !== "directory") return NOTHING;
  } catch (thrown) {
    return warning(folder, linkProblem(thrown));
  }
  try {
    const text = await readHeaderText(location, environment);
    const { parseHeader }: typeof import("./header.ts") = await import(HEADER);
    const { remarks, ...header } = await parseHeader(text, name);
    return {
      skill: { ...header, source, location, body: () => readBody(location, folder, environment) },
      problems: remarks.map((reason) => ({ severity: "notice", location, reason })),
    };
  } catch (thrown) {
    const { kind, message } = toBubError(thrown);
    return kind === "not_found" ? await misspelt(folder, environment) : warning(location, message);
  }
}

const NOTHING: FolderContent = { problems: [] };

function warning(location: string, reason: string): FolderContent {
  return { problems: [{ severity: "warning", location, reason }] };
}

function linkProblem(thrown: unknown): string {
  const { kind, message } = toBubError(thrown);
  return kind === "not_found" ? "the link leads nowhere" : message;
}

/** Where case matters, a file of nearly the right name is a skill that its author misses. */
async function misspelt(folder: string, environment: Environment): Promise<FolderContent> {
  for (const name of ["skill.md", "Skill.md"]) {
    const location = join(folder, name);
    const found = await environment.stat(location).catch(() => undefined);
    if (found?.kind === "file") return warning(location, `it must be called ${FILE_NAME}`);
  }
  return NOTHING;
}
