/**
 * Runs `deno` with the arguments given, so that it finds the `@std` modules whether or not JSR can
 * be reached: `deno run -A scripts/deno.ts <subcommand> …`. See CONTRIBUTING.md, "Two registries".
 */
import { chooseRegistry, flagsFor, type Registry } from "./registry.ts";
import { say } from "./say.ts";

/** The subcommands that load modules and take `--import-map`. */
const LOADING = ["run", "test", "check", "cache", "compile", "doc", "bench", "info"];

/** Set for children, so that the fallback is announced once however commands nest. */
const ANNOUNCED = "BUB_REGISTRY_ANNOUNCED";

/** Signals that reach this process alone; a child under Windows gets what its console gets. */
const FORWARDED: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? []
  : ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/** Signals of one Ctrl-C come within this time: from the group, and again from `deno task`. */
const SAME_INTERRUPT_MS = 100;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const [subcommand = "", ...rest] = args;
  if (!LOADING.includes(subcommand)) return await run(args, {});
  let registry: Registry;
  try {
    registry = await announcedRegistry();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(`error: ${error.message}`);
    return 2;
  }
  const env = { BUB_REGISTRY: registry, [ANNOUNCED]: "1" };
  return await run([subcommand, ...flagsFor(registry), ...rest], env);
}

async function announcedRegistry(): Promise<Registry> {
  const { registry, reason } = await chooseRegistry();
  if (registry === "npm" && !Deno.env.has(ANNOUNCED)) say(`@std comes from npm: ${reason}`);
  return registry;
}

/** Runs `deno` in this process's place and answers with its exit code. */
async function run(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: [...args], env }).spawn();
  for (const signal of FORWARDED) Deno.addSignalListener(signal, () => pass(child, signal));
  Deno.addSignalListener("SIGINT", interrupter(child));
  return (await child.status).code;
}

/**
 * A terminal sends Ctrl-C to the child as well, so it must not come twice: programs take the
 * second one as "at once". Without a terminal nobody else may have sent it.
 */
function interrupter(child: Deno.ChildProcess): () => void {
  if ([Deno.stdin, Deno.stdout, Deno.stderr].some((stream) => stream.isTerminal())) return () => {};
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (now - last > SAME_INTERRUPT_MS) pass(child, "SIGINT");
    last = now;
  };
}

function pass(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    // It has ended, and this process is about to.
    if (!(error instanceof TypeError)) throw error;
  }
}
