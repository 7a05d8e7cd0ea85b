import { dirname } from "@std/path";
import { BubError, missingAccess, toBubError } from "../errors.ts";
import { withoutLoaderVariables } from "./child_env.ts";
import type { OutputFile } from "./output_file.ts";
import {
  findShell,
  hasProgram,
  type Invocation,
  invocation,
  mayRun,
  type ShellProgram,
} from "./shell_program.ts";

/** What is started: an invocation in a folder, with exactly these variables. */
export interface SpawnRequest extends Pick<Invocation, "program" | "args" | "windowsRawArguments"> {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** As much of a `Deno.ChildProcess` as is needed; `status` may reject as that one's does. */
export interface SpawnedProcess {
  readonly pid: number;
  readonly status: Promise<{ readonly code: number }>;
}

/**
 * Starts a process as leader of its own group, its three streams at the null device. Fails with
 * the errors of `Deno.Command`.
 */
export type Spawn = (request: SpawnRequest) => SpawnedProcess | Promise<SpawnedProcess>;

export interface LauncherOptions {
  /** Where commands run by default: absolute. */
  readonly workspace: string;
  /** The absolute path that a `cwd` stands for. */
  readonly resolve: (path: string) => string;
  /** Exactly the variables that commands get. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: what `findShell()` finds. */
  readonly shell?: ShellProgram | undefined;
  /** Default: from this process. */
  readonly spawn?: Spawn | undefined;
}

/** Starts shells for commands. */
export class Launcher {
  readonly #options: LauncherOptions;
  #shell: ShellProgram | undefined;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#shell = options.shell;
  }

  /** The shell that runs commands. Throws `tool` if there is none, `permission`. */
  get shell(): ShellProgram {
    this.#shell ??= findShell(this.#options.env);
    if (this.#shell === undefined) throw noShell();
    return this.#shell;
  }

  /**
   * Starts `command` in `cwd`, or in the workspace; its output goes into `output`. A workspace
   * that is gone is replaced by the nearest folder above it, and the output then begins with a
   * line that says so. Throws `invalid_input`, `not_found` for a `cwd` that is no folder,
   * `permission`, else `tool`.
   */
  async launch(
    command: string,
    cwd: string | undefined,
    output: OutputFile,
  ): Promise<SpawnedProcess> {
    const { workspace, resolve } = this.#options;
    if (cwd === "") {
      throw new BubError("invalid_input", "cwd is empty; give a folder, or none for the workspace");
    }
    const call = invocation(this.shell, command, output.path);
    const { script } = call;
    if (script !== undefined) {
      await Deno.writeTextFile(script.path, script.text, { createNew: true, mode: 0o600 });
    }
    const directory = cwd === undefined ? workspace : resolve(cwd);
    try {
      const child = await this.#start(call, directory).catch((error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        const there = isFolder(directory);
        // Where we may not look, Deno's own message says which of both is missing.
        if (there === undefined) throw error;
        if (there) throw noShell(error);
        if (cwd !== undefined) {
          throw new BubError("not_found", `cwd is no folder: ${cwd}`, { cause: error });
        }
        const instead = nearestFolder(directory);
        output.note(`[the workspace ${directory} is gone; this ran in ${instead}]`);
        return this.#start(call, instead);
      });
      if (script === undefined) return child;
      return { pid: child.pid, status: child.status.finally(() => removed(script.path)) };
    } catch (error) {
      if (script !== undefined) await removed(script.path);
      if (error instanceof Deno.errors.PermissionDenied) {
        throw new BubError("tool", `${call.program} may not be run in ${directory}`, {
          cause: error,
        });
      }
      throw toBubError(error, "tool");
    }
  }

  async #start(call: Invocation, cwd: string): Promise<SpawnedProcess> {
    const { program, args, windowsRawArguments } = call;
    const { spawn = spawnHere } = this.#options;
    const env = { ...this.#options.env, ...call.env };
    return await spawn({ program, args, windowsRawArguments, cwd, env });
  }
}

/** `Spawn` from this process. Throws `permission` where Deno would ask. */
export function spawnHere({ program, args, env, ...options }: SpawnRequest): SpawnedProcess {
  if (!mayRun(program)) {
    throw new BubError("permission", missingAccess("run", program));
  }
  const whole = Deno.permissions.querySync({ name: "run" }).state === "granted";
  // For a detached child Deno forks, which copies the page tables of all our memory: some 3 ms. A
  // child that makes itself the leader of its group, before it becomes the program, spares that.
  const leads = whole && hasProgram("setsid", env) && hasProgram(program, env);
  const command: Deno.CommandOptions = {
    ...options,
    args: leads ? [program, ...args] : [...args],
    env: whole ? env : withoutLoaderVariables(env),
    clearEnv: true,
    detached: !leads,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  };
  return new Deno.Command(leads ? "setsid" : program, command).spawn();
}

function noShell(cause?: unknown): BubError {
  const names = Deno.build.os === "windows" ? "neither pwsh nor cmd" : "neither bash nor sh";
  return new BubError("tool", `there is no shell to run commands: ${names} is on PATH`, { cause });
}

/** Whether `path` is a folder; undefined where we may not look, since asking would prompt. */
function isFolder(path: string): boolean | undefined {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (isFolder(folder) === false && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

async function removed(path: string): Promise<void> {
  await Deno.remove(path).catch(() => {/* someone cleared the folder: as good */});
}
