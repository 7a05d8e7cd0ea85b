import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { assert } from "../assert.ts";

/** The script under test. */
export const INSTALLER = fromFileUrl(new URL("scripts/install.sh", ROOT));

/** What install.sh calls, whoever brings it. */
const NEEDED = ["awk", "chmod", "getconf", "grep", "head", "ldd", "mkdir", "mktemp", "mv", "rm"];
const OWN = [...NEEDED, "sha256sum", "shasum", "sysctl", "uname"];

/** A folder to install to, and a PATH with nothing on it but what install.sh needs. */
export class Machine implements AsyncDisposable {
  readonly #root: string;
  /** The folder that bub goes to, which is not there yet. */
  readonly folder: string;

  private constructor(root: string) {
    this.#root = root;
    this.folder = join(root, "user", ".local", "bin");
  }

  static async create(loader: readonly string[] = ["curl"]): Promise<Machine> {
    const machine = new Machine(await Deno.realPath(await Deno.makeTempDir()));
    await Deno.mkdir(join(machine.#root, "user"));
    await Deno.mkdir(machine.#bin());
    for (const program of OWN) {
      const path = await which(program);
      if (path !== undefined) await Deno.symlink(path, machine.#bin(program));
    }
    const [program = "", applet] = loader;
    await Deno.symlink(await which(program) ?? "", machine.#bin(applet ?? program));
    return machine;
  }

  /** Puts a program before all others. */
  async fake(program: string, line: string): Promise<void> {
    await Deno.remove(this.#bin(program)).catch(() => {});
    await Deno.writeTextFile(this.#bin(program), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }

  async without(program: string): Promise<void> {
    await Deno.remove(this.#bin(program));
  }

  /** What an earlier bub is here: a program, and no script. */
  async writeOld(): Promise<void> {
    await Deno.mkdir(this.folder, { recursive: true });
    await Deno.writeTextFile(join(this.folder, "bub"), "old", { mode: 0o755 });
  }

  async spawn(
    env: Readonly<Record<string, string>>,
    { shell = ["sh"], script = INSTALLER }: { shell?: readonly string[]; script?: string } = {},
  ): Promise<Deno.ChildProcess> {
    const [program = "", ...words] = shell;
    return new Deno.Command(await which(program) ?? program, {
      args: [...words, script],
      clearEnv: true,
      env: { PATH: this.#bin(), HOME: join(this.#root, "user"), ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  async install(env: Readonly<Record<string, string>>, options?: { shell?: readonly string[] }) {
    return await outcomeOf(await this.spawn(env, options));
  }

  /** The files in the folder with what they say, or undefined where it is not there. */
  async installed(): Promise<Record<string, string> | undefined> {
    try {
      const names = await Array.fromAsync(Deno.readDir(this.folder), ({ name }) => name);
      const texts = names.map((name) => Deno.readTextFile(join(this.folder, name)));
      return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  #bin(program = ""): string {
    return join(this.#root, "programs", program);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }
}

/** Where a program is, by the PATH of the tests. */
export async function which(program: string): Promise<string | undefined> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const path = join(folder, program);
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return undefined;
}

/** Waits for a script that says everything on standard error. */
export async function outcomeOf(
  child: Deno.ChildProcess,
): Promise<{ code: number; stderr: string }> {
  const { code, stdout, stderr } = await child.output();
  assert(stdout.length === 0, "something is on standard output");
  return { code, stderr: new TextDecoder().decode(stderr) };
}
