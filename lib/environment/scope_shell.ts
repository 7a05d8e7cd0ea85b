import { basename, isAbsolute } from "@std/path";
import type { ProgramRules } from "./program_rules.ts";
import { findShell, mayRun, type ShellProgram } from "./shell_program.ts";

/** Shells that a rule may name by a path that `PATH` does not lead to. */
const SHELLS = ["bash", "sh"];

/**
 * The shell that runs commands under `programs`: one of those on `PATH` that may run, else one that
 * may and whose path a rule names; else what `findShell()` finds, which then may not run.
 */
export function findShellWithin(
  programs: ProgramRules,
  env: Readonly<Record<string, string>>,
): ShellProgram | undefined {
  const allowed = (program: string) => programs.judge(program) === undefined && mayRun(program);
  const found = findShell(env, Deno.build.os, allowed);
  if (found !== undefined && allowed(found.program)) return found;
  const paths = programs.allowedFiles.filter((path) => isAbsolute(path) && allowed(path));
  return SHELLS.flatMap((name) => {
    const program = paths.find((path) => basename(path) === name);
    return program === undefined ? [] : [{ name, program }];
  })[0] ?? found;
}
