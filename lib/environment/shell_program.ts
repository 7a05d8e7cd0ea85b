import { join } from "@std/path";

/** Bytes of a command that go as one argument; the kernel takes at most 128 KiB in one. */
const ARGUMENT_BYTES = 100 * 1024;

/**
 * Sends both streams into the file $1 and runs the command $2 in this very shell. The command
 * then finds what plain `bash -c` gives it: no arguments, itself in BASH_EXECUTION_STRING, its own
 * line numbers. The blank keeps a command that starts with `-` from being options of `eval`.
 */
const RUN = 'exec >>"$1" 2>&1 || exit 126; BASH_EXECUTION_STRING=$2; set --; ' +
  'eval " $BASH_EXECUTION_STRING"';

/** The same for a command in the file $2; the dot saves its newlines at the end. */
const RUN_FILE = 'exec >>"$1" 2>&1 || exit 126; ' +
  'BASH_EXECUTION_STRING=$(cat <"$2"; echo .); BASH_EXECUTION_STRING=${BASH_EXECUTION_STRING%.}; ' +
  'set --; eval " $BASH_EXECUTION_STRING"';

/** The variable in which a command comes to Windows' `cmd`. */
const WINDOWS_COMMAND = "BUB_SHELL_COMMAND";
/** Characters that `cmd` takes in one line, less some for what we add. */
const WINDOWS_LINE = 7500;

/** A shell that runs commands. */
export interface ShellProgram {
  /** Its name, such as `bash`. */
  readonly name: string;
  /** What to start: the name, so that `--allow-run=bash` is enough, or a path. */
  readonly program: string;
}

/** How to start a shell for one command. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly windowsRawArguments: boolean;
  /** A file that must be written before and may be removed after. */
  readonly script: { readonly path: string; readonly text: string } | undefined;
}

/**
 * The shell that runs commands: `bash`, else `sh` (Windows: `pwsh`, else `cmd`), as found on
 * `PATH`, those that are `allowed` to run before those that are not; without either on `PATH`,
 * those in `/bin`. Undefined: there is none.
 */
export function findShell(
  env: Readonly<Record<string, string>>,
  os: string = Deno.build.os,
  allowed: (program: string) => boolean = mayRun,
): ShellProgram | undefined {
  const windows = os === "windows";
  const names = windows ? ["pwsh", "cmd"] : ["bash", "sh"];
  const found = names.filter((name) => hasProgram(name, env, os))
    .map((name) => ({ name, program: name }));
  if (found.length === 0 && !windows) {
    return names.map((name) => ({ name, program: `/bin/${name}` }))
      .find(({ program }) => isFile(program));
  }
  return found.find(({ program }) => allowed(program)) ?? found[0];
}

/** Whether `PATH` leads to a program, or may do where we may not look. */
export function hasProgram(
  name: string,
  env: Readonly<Record<string, string>>,
  os: string = Deno.build.os,
): boolean {
  const windows = os === "windows";
  if (name.includes("/")) return isFile(name);
  const path = env["PATH"] ?? env["Path"] ?? "/usr/local/bin:/usr/bin:/bin";
  const file = windows ? `${name}.exe` : name;
  return path.split(windows ? ";" : ":").some((folder) =>
    folder !== "" && isFile(join(folder, file))
  );
}

/** Whether there is a file; where we may not look (asking would prompt) there may well be one. */
function isFile(path: string): boolean {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return true;
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Whether Deno lets us start `command`, without asking anyone. */
export function mayRun(command: string): boolean {
  return Deno.permissions.querySync({ name: "run", command }).state === "granted";
}

/** How `shell` runs `command` with all it prints, in true order, added to the file `output`. */
export function invocation(shell: ShellProgram, command: string, output: string): Invocation {
  if (shell.name === "pwsh" || shell.name === "cmd") {
    return windowsInvocation(shell, command, output);
  }
  const { name, program } = shell;
  const common = { program, env: {}, windowsRawArguments: false };
  if (new TextEncoder().encode(command).length <= ARGUMENT_BYTES) {
    return { ...common, args: ["-c", RUN, name, output, command], script: undefined };
  }
  const path = `${output}.sh`;
  const args = ["-c", RUN_FILE, name, output, path];
  return { ...common, args, script: { path, text: command } };
}

/**
 * `cmd` redirects for either shell. The line it is to run stands in a variable, put in only after
 * `cmd` has parsed its own line (`/v:on`, `!…!`): nothing in it can be taken for the redirect's
 * syntax. PowerShell gets its commands in base64, long ones in a script.
 */
function windowsInvocation(shell: ShellProgram, command: string, output: string): Invocation {
  const line = shell.name === "cmd" ? `cmd /d /s /c "${command}"` : powershellLine(shell, command);
  const script = line.length > WINDOWS_LINE ? windowsScript(shell, command, output) : undefined;
  return {
    program: "cmd",
    args: ["/d", "/v:on", "/s", "/c", `"!${WINDOWS_COMMAND}! >>"${output}" 2>&1"`],
    env: { [WINDOWS_COMMAND]: script === undefined ? line : script.line },
    windowsRawArguments: true,
    script,
  };
}

/** The command, and what makes PowerShell's exit code that of the last program, or 1. */
function powershellText(command: string): string {
  return `${command}\n$bubOk = $?\n` +
    "if ($bubOk) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }\n";
}

function powershellLine({ program }: ShellProgram, command: string): string {
  const text = powershellText(command);
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), true);
  return `${program} -NoProfile -NonInteractive -EncodedCommand ${bytes.toBase64()}`;
}

function windowsScript(shell: ShellProgram, command: string, output: string) {
  if (shell.name === "cmd") {
    const path = `${output}.cmd`;
    return { path, text: `@echo off\r\n${command}\r\n`, line: `cmd /d /s /c ""${path}""` };
  }
  const path = `${output}.ps1`;
  const line =
    `${shell.program} -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "${path}"`;
  return { path, text: powershellText(command), line };
}
