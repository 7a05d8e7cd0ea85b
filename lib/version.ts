import config from "../deno.json" with { type: "json" };

/** Version of this program, `X.Y.Z`. */
export const VERSION: string = config.version;

/** Where `scripts/compile.ts` leaves the commit for the compiled program, from the root. */
const STAMP = "../.deno/commit.txt";

/**
 * The first 12 digits of the commit this program was built from or runs in, or undefined where
 * none is known: no repository, or no permission to read.
 */
export function commit(): string | undefined {
  try {
    return shorten(Deno.build.standalone ? read(STAMP) : headOfRepository());
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** `bub X.Y.Z (commit)`, without the bracket where no commit is known. */
export function versionLine(): string {
  const known = commit();
  return known === undefined ? `bub ${VERSION}` : `bub ${VERSION} (${known})`;
}

/** What Git keeps in files, read without Git: starting a process would cost more than the rest. */
function headOfRepository(): string {
  const head = read("../.git/HEAD");
  const branch = /^ref: (.+)/.exec(head)?.[1]?.trim();
  if (branch === undefined) return head;
  try {
    return read(`../.git/${branch}`);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const packed = read("../.git/packed-refs").split("\n");
  return packed.find((line) => line.endsWith(` ${branch}`)) ?? "";
}

function shorten(hash: string): string | undefined {
  return /^[0-9a-f]{40}/.exec(hash)?.[0].slice(0, 12);
}

function read(path: string): string {
  const file = new URL(path, import.meta.url);
  // Trying it would ask on a terminal; what is embedded in the compiled program needs no leave.
  const { state } = Deno.permissions.querySync({ name: "read", path: file });
  if (state !== "granted" && !Deno.build.standalone) throw new Deno.errors.NotFound(file.href);
  return Deno.readTextFileSync(file);
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.NotCapable;
}
