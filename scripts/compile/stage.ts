import { dirname, join, toFileUrl } from "@std/path";
import { ROOT } from "../import_map.ts";

/** What the program is made of; modules that are imported by a name in a variable count too. */
const INCLUDED = ["lib", "tools"];

/** What finds and describes its modules. */
const SOURCES = ["deno.json", "deno.lock", "main.ts", "scripts", ...INCLUDED];

/** The date of everything that is embedded: `deno compile` writes down when files were changed. */
export const FILE_DATE = new Date("2000-01-01T00:00:00Z");

/**
 * A copy of what the program is made of. The same text gives the same program, whenever it was
 * checked out and wherever, and whoever edits a file meanwhile changes nothing. Disposing removes it.
 */
export class Stage implements AsyncDisposable {
  readonly #folder: string;
  readonly #written: string[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<Stage> {
    const stage = new Stage(
      await Deno.realPath(await Deno.makeTempDir({ prefix: "bub-compile-" })),
    );
    try {
      for (const path of SOURCES) await stage.#copy(path);
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Where a file of the repository is here. */
  path(path: string): string {
    return join(this.#folder, path);
  }

  /** Writes a generated file, which becomes part of the program. */
  async write(path: string, text: string): Promise<void> {
    const file = this.path(path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
    await Deno.utime(file, FILE_DATE, FILE_DATE);
    this.#written.push(path);
  }

  /** The flags of `deno compile` that embed all of it, main.ts aside. */
  flags(): string[] {
    return [
      `--config=${this.path("deno.json")}`,
      ...[...INCLUDED, ...this.#written].map((path) => `--include=${this.path(path)}`),
    ];
  }

  /** The modules of the program, for `deno cache`. */
  async modules(): Promise<string[]> {
    const lists = await Promise.all(INCLUDED.map((path) => listModules(this.path(path))));
    return [this.path("main.ts"), ...lists.flat()];
  }

  async #copy(path: string): Promise<void> {
    const source = new URL(path, ROOT);
    if ((await Deno.stat(source)).isDirectory) {
      await Deno.mkdir(this.path(path));
      for await (const { name } of Deno.readDir(source)) await this.#copy(`${path}/${name}`);
      return;
    }
    await Deno.copyFile(source, toFileUrl(this.path(path)));
    await Deno.utime(this.path(path), FILE_DATE, FILE_DATE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function listModules(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await listModules(path));
    else if (/\.m?ts$/.test(name)) found.push(path);
  }
  return found;
}
