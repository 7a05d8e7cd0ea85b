import { fromFileUrl } from "@std/path";

/** What the writer imports by bare name. */
const BARE_NAMES = ["@std/path", "@noble/hashes/legacy.js"];

/**
 * Starts `writer.ts` as another process. It gets this process's own meaning of every bare import,
 * wherever that comes from.
 */
export function startWriter(
  args: readonly string[],
  { limitKiB }: { readonly limitKiB?: number } = {},
): Deno.ChildProcess {
  const imports = Object.fromEntries(BARE_NAMES.map((name) => [name, import.meta.resolve(name)]));
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
  const command = [
    Deno.execPath(),
    ...["run", "--quiet", "--no-lock", `--import-map=${map}`, "-A"],
    fromFileUrl(import.meta.resolve("./writer.ts")),
    ...args,
  ];
  const shell = limitKiB === undefined
    ? 'exec "$0" "$@"'
    // Bash counts blocks of 1024 bytes; with the signal ignored a write past the limit just fails.
    : `trap "" XFSZ; ulimit -f ${limitKiB}; exec "$0" "$@"`;
  return new Deno.Command("bash", {
    args: ["-c", shell, ...command],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** The lines a child prints. */
export function childLines(child: Deno.ChildProcess): ReadableStream<string> {
  let rest = "";
  return child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, string>({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
    }),
  );
}
