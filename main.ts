import type { BuiltInTools } from "./lib/cli/command.ts";
import { versionLine } from "./lib/version.ts";

// Deno loads whatever an import names literally, even one that is never reached: `--version` would
// take three times as long. A name in a variable is looked at when its import runs. What is imported
// so is named to `deno compile` by scripts/compile.ts.
const CLI = "./lib/cli/cli.ts";
const TOOLS = "./tools/mod.ts";
const CODE_HELPER = "./lib/code/helper_program.ts";

if (Deno.args[0] === "--code-helper") {
  // Not for people: a compiled program has nothing but itself to start a process of code mode with.
  const { serveCode }: typeof import("./lib/code/helper_program.ts") = await import(CODE_HELPER);
  await serveCode();
} else if (Deno.args[0] === "--version" || Deno.args[0] === "-V") {
  try {
    await Deno.stdout.write(new TextEncoder().encode(`${versionLine()}\n`));
  } catch (thrown) {
    const { lostOutput } = await loadCli();
    Deno.exit(await lostOutput(thrown));
  }
} else {
  const builtIn = (): Promise<BuiltInTools> => import(TOOLS);
  const { runCli } = await loadCli();
  Deno.exit(await runCli({ args: Deno.args, exit: Deno.exit, builtIn }));
}

async function loadCli(): Promise<typeof import("./lib/cli/cli.ts")> {
  if (mayLoad()) return await import(CLI);
  const advice = "bub loads its own source as it goes and may not read it; --allow-read=" +
    `${decodeURI(new URL(".", import.meta.url).pathname)} grants it`;
  await Deno.stderr.write(new TextEncoder().encode(`bub: ${advice}\n`));
  Deno.exit(2);
}

/** Asked first, because an import that Deno has to refuse asks on a terminal. */
function mayLoad(): boolean {
  const source = [CLI, TOOLS].map((path) => new URL(path, import.meta.url));
  return Deno.build.standalone || source.every((path) =>
    path.protocol !== "file:" ||
    Deno.permissions.querySync({ name: "read", path: new URL(".", path) }).state === "granted"
  );
}
