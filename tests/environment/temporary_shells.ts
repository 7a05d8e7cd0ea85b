import { HostShells } from "../../lib/environment/shells.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { LauncherOptions } from "../../lib/environment/launcher.ts";

/** A session's shells in a workspace of their own; disposing ends and removes all of it. */
export class TemporaryShells implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    readonly workspace: string,
    readonly outputFolder: string,
    readonly shells: HostShells,
  ) {}

  static async create(options: Partial<LauncherOptions> = {}): Promise<TemporaryShells> {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub-shells-" }));
    const workspace = `${folder}/workspace`;
    const outputFolder = `${folder}/home/shells`;
    await Deno.mkdir(workspace);
    const shells = new HostShells({
      workspace,
      resolve: (path) => path.startsWith("/") ? path : `${workspace}/${path}`,
      outputFolder,
      env: Deno.env.toObject(),
      ...options,
    });
    return new TemporaryShells(folder, workspace, outputFolder, shells);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shells.stopAll(0);
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Waits until `condition` holds; fails after ten seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether there is a process with that number that is more than a zombie. */
export function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, 0);
    const stat = Deno.build.os === "linux" ? Deno.readTextFileSync(`/proc/${pid}/stat`) : "";
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

/** Runs a module beside a test as a program of its own; `input` is its standard input. */
export async function runProgram(url: string, args: string[], input = ""): Promise<JsonValue> {
  const imports = {
    "@std/path": import.meta.resolve("@std/path"),
    zod: import.meta.resolve("zod"),
  };
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
  const command = ["run", "-A", "--no-lock", "--no-check", `--import-map=${map}`, url, ...args];
  const streams = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(Deno.execPath(), { args: command, ...streams }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
