import { readEnvironment } from "../config/variables.ts";
import { toBubError } from "../errors.ts";
import { parseArgs, usage } from "./args.ts";
import type { BuiltInTools } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { Console } from "./console.ts";
import { chooseCommand, commandHelp } from "./help.ts";
import { printToStderr } from "./plugin_console.ts";
import { watchUncaught } from "./uncaught.ts";

/** What `main.ts` knows and the command line does not. */
export interface CliOptions {
  readonly args: readonly string[];
  /** Ends the process at once; only used when a second signal forces the end. */
  readonly exit: (code: number) => never;
  readonly builtIn: () => Promise<BuiltInTools>;
}

/** Exit code of a program whose reader went away: 128 + SIGPIPE. */
const BROKEN_PIPE = 141;

/** Runs the command line; the answer is the exit code. All output is out when it resolves. */
export async function runCli(options: CliOptions): Promise<number> {
  const env = readEnvironment();
  const console = new Console(Deno.stdout, Deno.stderr, env);
  using _uncaught = watchUncaught(console);
  using _printed = printToStderr();
  const code = await dispatch(options, console, env);
  await console.stdout.flush();
  const { failure } = console.stdout;
  if (failure !== undefined) return await lostOutput(failure, console, code);
  await console.stderr.flush();
  return code;
}

/** The exit code when standard output failed, with a line where somebody may still want to know. */
export async function lostOutput(
  failure: unknown,
  console: Console = new Console(Deno.stdout, Deno.stderr, readEnvironment()),
  code = 0,
): Promise<number> {
  // A signal says more than the pipe it broke.
  if (isBrokenPipe(failure)) return code > 128 ? code : BROKEN_PIPE;
  const reason = failure instanceof Error ? failure.message : String(failure);
  await console.complain(`standard output cannot be written: ${reason}`);
  return code === 0 ? 1 : code;
}

async function dispatch(
  { args, exit, builtIn }: CliOptions,
  console: Console,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    const choice = await chooseCommand(args, COMMANDS);
    if (choice.command === undefined) {
      await console.stdout.write(choice.help);
      return 0;
    }
    const { command } = choice;
    const parsed = parseArgs(choice.args, command.flags);
    if (parsed.flags.help === true) {
      await console.stdout.write(commandHelp(command));
      return 0;
    }
    const words = parsed.words.length + parsed.literal.length;
    if (words > (command.maxWords ?? Infinity)) {
      throw usage(`bub ${command.name} takes ${atMost(command.maxWords ?? 0)}, but got ${words}`);
    }
    return await command.run(parsed, { console, commands: COMMANDS, env, exit, builtIn });
  } catch (thrown) {
    const error = toBubError(thrown);
    await console.complain(error.message);
    return error.kind === "config" ? 2 : 1;
  }
}

function atMost(words: number): string {
  return words === 0 ? "no words" : `at most ${words} word${words === 1 ? "" : "s"}`;
}

/** A closed pipe, or the terminal that hung up. */
function isBrokenPipe(failure: unknown): boolean {
  return failure instanceof Deno.errors.BrokenPipe ||
    (failure instanceof Error && /os error 5\b/.test(failure.message));
}
