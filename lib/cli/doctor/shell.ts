import { join } from "@std/path";
import type { Settings } from "../../config/settings.ts";
import { resolveBounds } from "../../environment/bounds.ts";
import { isGranted } from "../../environment/granted.ts";
import { ProgramRules } from "../../environment/program_rules.ts";
import { findShell, hasProgram, mayRun } from "../../environment/shell_program.ts";
import { missingAccess } from "../../errors.ts";
import type { Section } from "./section.ts";

type ShellSettings = Pick<Settings, "env" | "scope" | "workspace">;

/** The shell that runs commands, and whether it may. */
export function shellSection(settings: ShellSettings): Section {
  const shell = findShell(settings.env);
  if (shell === undefined) {
    return {
      name: "shell",
      facts: { name: null, program: null },
      notes: ["the tool bash cannot run: there is no shell on PATH; install bash or sh"],
    };
  }
  const { name, program } = shell;
  const refusal = refused(program, settings);
  return {
    name: "shell",
    facts: { name, program: programPath(program, settings.env) ?? program },
    notes: refusal === undefined ? [] : [`the tool bash cannot run: ${refusal}`],
  };
}

/** Why a program may not be started, by the process or in the scope; undefined: it may. */
function refused(program: string, { env, scope, workspace }: ShellSettings): string | undefined {
  if (!mayRun(program)) return missingAccess("run", program);
  if (scope === undefined) return undefined;
  const { run } = resolveBounds(scope, workspace);
  return new ProgramRules(run, env["PATH"] ?? "").judge(program)?.message;
}

/** Where `PATH` leads to, as far as we may look. */
function programPath(
  program: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const windows = Deno.build.os === "windows";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(windows ? ";" : ":");
  return folders.map((folder) => join(folder, windows ? `${program}.exe` : program))
    .find((path) => isGranted({ name: "read", path }) && hasProgram(path, env));
}
