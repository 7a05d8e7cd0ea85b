import { dirname, join } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { listModules } from "../architecture/module_graph.ts";

/** What a command came to. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables that say where modules and runtimes come from. */
const DECIDING = ["BUB_REGISTRY", "BUB_REGISTRY_ANNOUNCED", "JSR_URL", "DENORT_BIN"];

/**
 * A copy of deno.json and `scripts/`, in a folder and with a cache of Deno of its own: what it
 * finds out about registries disturbs nobody. Disposing removes it.
 */
export class Frame implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Frame> {
    const frame = new Frame(await Deno.realPath(await Deno.makeTempDir()));
    for (const path of ["deno.json", ...await listModules("scripts")]) {
      await frame.write(path, await Deno.readTextFile(new URL(path, ROOT)));
    }
    return frame;
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.folder, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }

  read(path: string): Promise<string> {
    return Deno.readTextFile(join(this.folder, path));
  }

  /** Starts `scripts/deno.ts` with `args`; where modules come from is not taken from outside. */
  spawn(args: readonly string[], env: Record<string, string> = {}): Deno.ChildProcess {
    const outer = Deno.env.toObject();
    for (const name of DECIDING) delete outer[name];
    return new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "scripts/deno.ts", ...args],
      cwd: this.folder,
      clearEnv: true,
      env: { ...outer, DENO_DIR: join(this.folder, ".cache"), NO_COLOR: "1", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Runs `scripts/deno.ts` with `args` to its end, `input` on its standard input. */
  async deno(args: readonly string[], env?: Record<string, string>, input = ""): Promise<Outcome> {
    const child = this.spawn(args, env);
    const writer = child.stdin.getWriter();
    // The child may end without having read it.
    await writer.write(new TextEncoder().encode(input)).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
