import type { Environment } from "../environment/environment.ts";

/**
 * Whether the shell that runs commands finds a program (or builtin) of that name; false where it
 * cannot be asked. Nothing of the session is touched: the question has shells of its own.
 */
export async function programExists(environment: Environment, name: string): Promise<boolean> {
  const shells = environment.createShells();
  try {
    const shell = await shells.start(lookup(await environment.shellName(), name));
    await shell.ended;
    return shell.exitCode === 0;
  } catch {
    return false;
  } finally {
    await shells.stopAll();
  }
}

function lookup(shellName: string, program: string): string {
  switch (shellName) {
    case "pwsh":
      return `exit [int](-not (Get-Command '${
        program.replaceAll("'", "''")
      }' -ErrorAction Ignore))`;
    case "cmd":
      return `where /q "${program.replaceAll('"', "")}"`;
    default:
      return `command -v -- '${program.replaceAll("'", `'\\''`)}'`;
  }
}
