import { basename, extname, join } from "@std/path";
import { FILE_DATE } from "./stage.ts";

/** A package of npm in Deno's cache. */
export interface Package {
  /** Such as `zod 4.6.7`. */
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/**
 * The packages that a lock file names, sorted; undefined where one of them is not in the cache yet.
 * In there, a package lies below the name of the registry that it came from.
 */
export async function findPackages(lock: string, cache: string): Promise<Package[] | undefined> {
  const { npm = {} } = JSON.parse(await Deno.readTextFile(lock));
  const registries = await listNames(cache);
  const found: Package[] = [];
  for (const key of Object.keys(npm).sort()) {
    // `name@version`, and behind an underscore the same of each peer.
    const [, name = "", version = ""] = /^(.[^@]*)@([^_]+)/.exec(key) ?? [];
    const places = registries.map((registry) => join(cache, registry, name, version));
    const lists = await Promise.all(
      places.map(async (folder) => ({ folder, files: await listFiles(folder) })),
    );
    const there = lists.filter(({ files }) => files.length > 0);
    if (there.length === 0) return undefined;
    found.push(...there.map((list) => ({ name: `${name} ${version}`, ...list })));
  }
  return found;
}

/**
 * Dates the files of packages as everything that is embedded. False where the cache belongs to
 * somebody else: then the program differs from those of other machines in these dates.
 */
export async function datePackages(packages: readonly Package[]): Promise<boolean> {
  try {
    for (const file of packages.flatMap(({ files }) => files)) {
      await Deno.utime(file, FILE_DATE, FILE_DATE);
    }
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/**
 * The files without an extension, licences above all. Deno takes them for scripts, and would embed
 * what is wrong with each, together with its path on this machine.
 */
export function namelessFiles(packages: readonly Package[]): string[] {
  return packages.flatMap(({ files }) => files.filter((file) => extname(file) === ""));
}

/** The licences of the packages, one below the other, in a text that can be embedded. */
export async function licences(packages: readonly Package[]): Promise<string> {
  const texts = packages.map(async ({ name, folder, files }) => {
    const own = files.filter((file) => /^licen[cs]e(\.\w+)?$/i.test(basename(file)));
    const { license = "unknown" } = JSON.parse(
      await Deno.readTextFile(join(folder, "package.json")),
    );
    const parts = await Promise.all(own.map((file) => Deno.readTextFile(file)));
    return [`${name}: ${license}`, ...parts.map((text) => text.trim())].join("\n\n");
  });
  return (await Promise.all(texts)).join("\n\n----\n\n") + "\n";
}

async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const { name, isDirectory } of await list(folder)) {
    const path = join(folder, name);
    if (isDirectory) files.push(...await listFiles(path));
    else files.push(path);
  }
  return files.sort();
}

async function listNames(folder: string): Promise<string[]> {
  return (await list(folder)).map(({ name }) => name);
}

async function list(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    const none = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (none) return [];
    throw error;
  }
}
