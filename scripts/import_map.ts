/** What stands in for each `@std` module where JSR cannot be reached, relative to the repository. */
export const STD_ADAPTERS = {
  "@std/cli/parse-args": "scripts/npm_std/cli_parse_args.ts",
  "@std/jsonc": "scripts/npm_std/jsonc.ts",
  "@std/path": "scripts/npm_std/path.ts",
} as const;

/** The repository's root folder, as a `file:` URL that ends in a slash. */
export const ROOT = new URL("../", import.meta.url);

/** Where `writeImportMap` keeps what it generates; git ignores it. */
export const GENERATED = new URL(".deno/", ROOT);

/**
 * The import map that takes everything from `imports` of deno.json except `jsr:` entries, whose
 * place the adapters take. A map given on the command line replaces `imports` altogether and, other
 * than them, has no entries for the paths inside a package unless they are written out.
 */
export function npmImports(imports: Readonly<Record<string, string>>): Record<string, string> {
  const map: Record<string, string> = {};
  for (const [name, target] of Object.entries(imports)) {
    if (target.startsWith("jsr:")) continue;
    map[name] = target;
    if (target.startsWith("npm:") && !target.endsWith("/")) {
      map[`${name}/`] = `npm:/${target.slice("npm:".length)}/`;
    }
  }
  for (const [name, path] of Object.entries(STD_ADAPTERS)) map[name] = `../${path}`;
  return map;
}

/**
 * Brings the generated import map up to date and returns its address. Several processes may do so
 * at once: each writes a file of its own and renames it.
 */
export function writeImportMap(): URL {
  const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
  const text = JSON.stringify({ imports: npmImports(config.imports) }, null, 2) + "\n";
  const file = new URL("import_map.json", GENERATED);
  if (readIfThere(file) !== text) replaceFile(file, text);
  return file;
}

/** The text of a file, or undefined where there is none. */
export function readIfThere(file: URL): string | undefined {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes a file so that readers see the old text or the new one, never a part. */
export function replaceFile(file: URL, text: string): void {
  Deno.mkdirSync(new URL(".", file), { recursive: true });
  const own = new URL(`${file.href}.${Deno.pid}.tmp`);
  Deno.writeTextFileSync(own, text);
  Deno.renameSync(own, file);
}
