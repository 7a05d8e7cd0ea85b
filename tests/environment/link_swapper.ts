/**
 * A program that puts a link in a path's place and takes it away again, as fast as it can, until it
 * is ended or half a minute has passed: `PATH TARGET`. Prints a line once it is at it.
 */
const [path = "", target = ""] = Deno.args;
const aside = `${path}.aside`;
const link = `${path}.link`;
const deadline = performance.now() + 30_000;

Deno.symlinkSync(target, link);
for (let turns = 0; performance.now() < deadline; turns++) {
  Deno.renameSync(path, aside);
  put(link);
  Deno.renameSync(path, link);
  put(aside);
  if (turns === 100) Deno.stdout.writeSync(new TextEncoder().encode("swapping\n"));
}

/** Someone may have made a folder there in the gap: it is put away. */
function put(from: string): void {
  for (;;) {
    try {
      return Deno.renameSync(from, path);
    } catch {
      Deno.renameSync(path, `${path}.made${crypto.randomUUID()}`);
    }
  }
}
