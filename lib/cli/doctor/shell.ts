import type { Settings } from "../../config/settings.ts";
import { resolveBounds } from "../../environment/bounds.ts";
import { ProgramRules } from "../../environment/program_rules.ts";
import { findShellWithin } from "../../environment/scope_shell.ts";
import { mayRun } from "../../environment/shell_program.ts";
import { missingAccess } from "../../errors.ts";
import type { Section } from "./section.ts";

/** The shell that runs commands, as a run finds it in the same scope, and whether it may. */
export function shellSection(
  { env, scope, workspace }: Pick<Settings, "env" | "scope" | "workspace">,
): Section {
  const { run } = resolveBounds(scope ?? { allow: {}, deny: {} }, workspace);
  const programs = new ProgramRules(run, env["PATH"] ?? env["Path"] ?? "");
  const shell = findShellWithin(programs, env);
  if (shell === undefined) {
    return {
      name: "shell",
      facts: { name: null, program: null },
      notes: ["the tool bash cannot run: there is no shell on PATH; install bash or sh"],
    };
  }
  const { name, program } = shell;
  const refusal = programs.judge(program)?.message ??
    (mayRun(program) ? undefined : missingAccess("run", program));
  return {
    name: "shell",
    facts: { name, program: programs.find(program) },
    notes: refusal === undefined ? [] : [`the tool bash cannot run: ${refusal}`],
  };
}
