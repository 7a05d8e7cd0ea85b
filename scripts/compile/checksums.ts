import { basename, join } from "@std/path";

/**
 * Puts the checksum of a file into the SHA256SUMS beside it, in the form of `sha256sum`; the lines
 * of other files stay.
 */
export async function addChecksum(file: string): Promise<void> {
  const sums = join(file, "..", "SHA256SUMS");
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(file));
  const name = basename(file);
  const line = `${new Uint8Array(digest).toHex()}  ${name}`;
  const others = (await readLines(sums)).filter((other) => !other.endsWith(`  ${name}`));
  await Deno.writeTextFile(sums, [...others, line].sort(byName).join("\n") + "\n");
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await Deno.readTextFile(file)).split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The digest takes 64 characters, and two blanks follow. */
function byName(a: string, b: string): number {
  return a.slice(66) < b.slice(66) ? -1 : 1;
}
