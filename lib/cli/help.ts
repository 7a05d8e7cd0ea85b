import { alternatives, closeMatches } from "../close_match.ts";
import { type FlagSpec, type FlagTable, type ParsedArgs, usage } from "./args.ts";
import type { Command, CommandContext } from "./command.ts";
import type { COMMON_FLAGS } from "./flags.ts";

/** `bub help [COMMAND]`. */
export async function help(
  { words: [name] }: ParsedArgs<typeof COMMON_FLAGS>,
  { console, commands }: CommandContext,
): Promise<number> {
  const text = name === undefined ? overview(commands) : commandHelp(findCommand(name, commands));
  await console.stdout.write(text);
  return 0;
}

/** The command of that name. Throws `config` with the close ones. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  const close = closeMatches(name, names);
  const hint = close.length === 0
    ? `the commands are ${alternatives(names)}`
    : `did you mean ${alternatives(close)}?`;
  throw usage(`"${name}" is not a command; ${hint}`);
}

/** The help without a command. */
export function overview(commands: readonly Command[]): string {
  return [
    "bub: an agent that works in a folder, for people and scripts",
    "",
    "Usage: bub COMMAND [FLAGS]",
    "",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "bub COMMAND --help shows the flags of a command, bub --version the version.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  return [
    command.summary,
    "",
    usageLine(command),
    "",
    ...columns(flagRows(command.flags)),
    ...(command.notes === undefined ? [] : ["", ...command.notes]),
    "",
  ].join("\n");
}

/** `Usage: bub run [MESSAGE…] [FLAGS]`. */
export function usageLine({ name, words }: Command): string {
  return ["Usage: bub", name, words, "[FLAGS]"].filter((part) => part !== "").join(" ");
}

function flagRows(flags: FlagTable): (readonly [string, string])[] {
  return Object.entries(flags).map(([name, spec]) => [flagColumn(name, spec), spec.help]);
}

function flagColumn(name: string, spec: FlagSpec): string {
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  return `${short}--${name}${"value" in spec ? ` ${spec.value}` : ""}`;
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
