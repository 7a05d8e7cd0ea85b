/** Lines a file may have. */
const MAX_LINES = 400;

/** Names that say nothing about what is inside. */
const EMPTY_NAMES = /^(utils?|helpers?|common|types|index|misc|shared)$/;

/** Comments that switch off a check. */
const SWITCHED_OFF = /(deno-(lint|fmt)-ignore|@ts-(ignore|expect-error|nocheck))\b/;

/** What is wrong with a file's name, length, or its way with checks. */
export function checkFile(path: string, text: string): string[] {
  const found: string[] = [];
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.m?tsx?$/, "");
  if (EMPTY_NAMES.test(name)) found.push(`${path}: "${name}" does not say what is inside`);
  if (!/^_?[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) found.push(`${path}: not in snake_case`);
  const lines = text.split("\n").length - 1;
  if (lines > MAX_LINES) found.push(`${path}: ${lines} lines, at most ${MAX_LINES}`);
  const comment = SWITCHED_OFF.exec(text)?.[0];
  if (comment !== undefined) found.push(`${path}: ${comment}: mend the cause instead`);
  return found;
}
