/** A folder of its own for one test, by its real path, removed at the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub-config-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
