import { join } from "@std/path";

/** A folder of its own for one test, removed at the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "bub-tape-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The lines of a tape's file as they stand there, the part behind the last newline at the end. */
export async function rawLines(folder: string, tape: string): Promise<string[]> {
  return (await Deno.readTextFile(join(folder, `${tape}.jsonl`))).split("\n");
}
