import { alternatives, closeMatches } from "../close_match.ts";
import { type FlagSpec, type FlagTable, type ParsedArgs, usage } from "./args.ts";
import type { Command, CommandContext, CommandGroup } from "./command.ts";
import type { COMMON_FLAGS } from "./flags.ts";

/** `bub help [COMMAND]`, or two words for one of a group. */
export async function help(
  { words }: ParsedArgs<typeof COMMON_FLAGS>,
  { console, commands }: CommandContext,
): Promise<number> {
  const choice = await chooseCommand(words, commands);
  const text = choice.command === undefined ? choice.help : commandHelp(choice.command);
  await console.stdout.write(text);
  return 0;
}

/** A command with the arguments behind its name, or the help to show in its place. */
export type Choice =
  | { readonly command: Command; readonly args: readonly string[] }
  | { readonly command: undefined; readonly help: string };

/**
 * The command that the first words name: `run`, `tape list`. Without a word, and for `--help` in
 * its place, the help of what there is. Throws `config` for a word that names nothing.
 */
export async function chooseCommand(
  args: readonly string[],
  commands: readonly (Command | CommandGroup)[],
): Promise<Choice> {
  const [name, ...rest] = args;
  if (asksForHelp(name)) return { command: undefined, help: overview(commands) };
  refuseFlag(args, "bub", commands.map((command) => command.name));
  const found = findCommand(name, commands);
  if (!("subcommands" in found)) return { command: found, args: rest };
  const subcommands = await found.subcommands();
  const [word, ...behind] = rest;
  if (asksForHelp(word)) return { command: undefined, help: groupHelp(found, subcommands) };
  const names = subcommands.map((command) => command.name.slice(`${name} `.length));
  refuseFlag(rest, `bub ${name}`, names);
  return { command: findCommand(`${name} ${word}`, subcommands), args: behind };
}

function asksForHelp(word: string | undefined): word is undefined | "--help" | "-h" {
  return word === undefined || word === "--help" || word === "-h";
}

/** Throws `config` when a flag stands where one of `names` is due, with the right order. */
function refuseFlag(args: readonly string[], start: string, names: readonly string[]): void {
  if (!args[0]?.startsWith("-")) return;
  const place = args.findIndex((word) => names.includes(word));
  const behind = place < 0 ? args : args.toSpliced(place, 1);
  const right = [start, args[place] ?? "COMMAND", ...behind].join(" ");
  throw usage(`flags come behind the command: ${right}`);
}

/** What has that name. Throws `config` with the close ones. */
function findCommand<C extends Command | CommandGroup>(name: string, commands: readonly C[]): C {
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
export function overview(commands: readonly (Command | CommandGroup)[]): string {
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

/** The help of a group without one of its commands. */
function groupHelp({ name, summary, notes }: CommandGroup, commands: readonly Command[]): string {
  return [
    summary,
    "",
    `Usage: bub ${name} COMMAND [FLAGS]`,
    "",
    ...columns(commands.map((command) => [command.name, command.summary])),
    ...(notes === undefined ? [] : ["", ...notes]),
    "",
    `bub ${name} COMMAND --help shows the flags of a command.`,
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
    ...flagLines(command.flags),
    ...(command.notes === undefined ? [] : ["", ...command.notes]),
    "",
  ].join("\n");
}

/** `Usage: bub run [MESSAGE…] [FLAGS]`. */
export function usageLine({ name, words }: Command): string {
  return ["Usage: bub", name, words, "[FLAGS]"].filter((part) => part !== "").join(" ");
}

/** One flag a line; those that set bounds of tools in a block of their own. */
function flagLines(flags: FlagTable): readonly string[] {
  const rows = Object.entries(flags).map(([name, spec]) => ({
    isBound: spec.kind === "access",
    row: [flagColumn(name, spec), spec.help] as const,
  }));
  const [own, bounds] = [false, true].map((bound) =>
    columns(rows.filter(({ isBound }) => isBound === bound).map(({ row }) => row))
  ) as [readonly string[], readonly string[]];
  return bounds.length === 0 ? own : [...own, "", ...BOUNDS, "", ...bounds];
}

const BOUNDS = [
  "Bounds of what tools may touch, in the words of deno run. With any --allow flag all that is not",
  "allowed is denied; without =… a flag means everything. See docs/permissions.md.",
];

function flagColumn(name: string, spec: FlagSpec): string {
  if (spec.kind === "access") return `--${name}[=${spec.items}]`;
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  return `${short}--${name}${"value" in spec ? ` ${spec.value}` : ""}`;
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
