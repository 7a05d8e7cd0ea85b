import type { JsonObject } from "../json.ts";
import type { Tool } from "../tool/tool.ts";
import type { FlagTable, ParsedArgs } from "./args.ts";
import type { Console } from "./console.ts";

/** The built-in tools, as `main.ts` hands them over. */
export interface BuiltInTools {
  readonly builtinTools: readonly Tool[];
  /** JSON Schemas of their arguments by name, generated ahead. */
  readonly builtinSchemas: Readonly<Record<string, JsonObject>>;
}

/** What surrounds a command: all that reaches outside of the program. */
export interface CommandContext {
  readonly console: Console;
  /** Every command there is. */
  readonly commands: readonly (Command | CommandGroup)[];
  /** The variables this process may see. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the process at once; only for an end that cannot wait. */
  readonly exit: (code: number) => never;
  readonly builtIn: () => Promise<BuiltInTools>;
}

/** One command of the command line: its declaration drives parsing, help and completions. */
export interface CommandSpec<T extends FlagTable = FlagTable> {
  readonly name: string;
  readonly summary: string;
  /** The words it takes, as the usage line shows them. */
  readonly words: string;
  /** How many words it takes at most; default any number. */
  readonly maxWords?: number;
  /** Lines for the end of its help. */
  readonly notes?: readonly string[];
  readonly flags: T;
  /** Runs the command; the answer is the exit code. Throws `BubError`. */
  readonly run: (args: ParsedArgs<T>, context: CommandContext) => Promise<number>;
}

/** A command whose own flag types are forgotten, as the table of all commands holds it. */
export interface Command extends Omit<CommandSpec, "run"> {
  readonly run: (args: ParsedArgs<FlagTable>, context: CommandContext) => Promise<number>;
}

/** A word that only stands before others: `bub tape` with `bub tape list`, … */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** Lines for the end of its help. */
  readonly notes?: readonly string[];
  /** The commands behind it; their names begin with its own: `tape list`. */
  readonly subcommands: () => Promise<readonly Command[]>;
}

/** Declares a command; the arguments it runs with come from its own flag table. */
export function defineCommand<const T extends FlagTable>(spec: CommandSpec<T>): Command {
  return { ...spec, run: (args, context) => spec.run(args as ParsedArgs<T>, context) };
}
