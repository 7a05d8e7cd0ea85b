import type { BuiltInTools } from "./lib/cli/command.ts";
import { versionLine } from "./lib/version.ts";

// Deno loads whatever an import names literally, even one that is never reached: `--version` would
// take three times as long. A name in a variable is looked at when its import runs. What is imported
// so is named to `deno compile` by scripts/compile.ts.
const CLI = "./lib/cli/cli.ts";
const TOOLS = "./tools/mod.ts";

if (Deno.args[0] === "--version" || Deno.args[0] === "-V") {
  await Deno.stdout.write(new TextEncoder().encode(`${versionLine()}\n`));
} else {
  const builtIn = (): Promise<BuiltInTools> => import(TOOLS);
  const { runCli }: typeof import("./lib/cli/cli.ts") = await import(CLI);
  Deno.exit(await runCli({ args: Deno.args, exit: Deno.exit, builtIn }));
}
