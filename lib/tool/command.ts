import { alternatives, editDistance } from "../close_match.ts";
import { BubError, toBubError } from "../errors.ts";
import type { CallStatus } from "../event.ts";
import type { JsonObject } from "../json.ts";
import { commandArguments } from "./command_arguments.ts";
import { parseInbound } from "./command_line.ts";
import { CommandOutput } from "./command_output.ts";
import { executeCall, type ExecuteOptions } from "./execute.ts";
import { programExists } from "./program.ts";
import { quote } from "./quote.ts";
import { suggestTools } from "./registry.ts";
import { errorText, type ToolResult } from "./result.ts";
import { admits, modelAlias, type Tool } from "./tool.ts";

/** The most bytes of output that the tape keeps of a command: head and tail (T7). */
const RECORDED_BYTES = 64 * 1024;

/** The tool that runs a line which names no tool. */
const SHELL_TOOL = "bash";

export interface CommandOptions extends ExecuteOptions {
  /** Takes the output in pieces as they are ready; the result's `output` is then empty. */
  readonly write?: ((piece: string) => Promise<void>) | undefined;
}

/** How a text command ended. */
export interface CommandResult {
  /** The command without its prefix and the blanks around it. */
  readonly line: string;
  /** Runtime name of the tool that ran, else the first word. */
  readonly name: string;
  readonly status: CallStatus;
  /** What it printed, unless that went to `write`; the text ends as the tool ended it. */
  readonly output: string;
  /** For standard error, through `errorText`. */
  readonly error: BubError | null;
  readonly elapsedMs: number;
  /** Data of the `command` event, for the tape. */
  readonly record: JsonObject;
}

/**
 * Runs one text command: a tool by its name, any other line in the shell. A word that looks like
 * a slip for a tool is an error instead: `fs.raed`, whose family is known, and what is one letter
 * away from a tool while the shell finds no such program. Never rejects for what a tool, a hook or
 * `write` did.
 */
export async function runCommand(line: string, options: CommandOptions): Promise<CommandResult> {
  const started = performance.now();
  const date = new Date().toISOString();
  const trimmed = line.trim();
  const output = new CommandOutput(RECORDED_BYTES, options.write);
  let name = firstWord(trimmed);
  let error: BubError | null = null;
  try {
    const call = await resolve(line, options);
    name = call.name;
    const result = await execute(call, options);
    if (result.error === undefined) {
      await output.print(result, options.context.signal);
    } else {
      error = result.error;
      await output.printMedia(result.media);
    }
  } catch (thrown) {
    error = toBubError(thrown, options.context.signal.aborted ? "interrupted" : "internal");
  }
  if (error !== null) output.note(errorText(error));
  const status = error === null ? "ok" : "error";
  const elapsedMs = Math.round(performance.now() - started);
  const record = {
    raw: trimmed,
    name,
    status,
    elapsed_ms: elapsedMs,
    output: output.recorded,
    date,
  };
  return { line: trimmed, name, status, output: output.collected, error, elapsedMs, record };
}

/** A command as a call of a tool. */
interface ResolvedCommand {
  readonly name: string;
  readonly args: JsonObject;
}

async function resolve(line: string, options: CommandOptions): Promise<ResolvedCommand> {
  const { tools, context: { environment, commandPrefix } } = options;
  const word = firstWord(line.trim());
  if (word === "") {
    throw new BubError("invalid_input", `an empty command; ${commandPrefix}help lists them`);
  }
  const tool = tools.find(word);
  if (tool !== undefined && admits(tool, "command")) {
    const from = line.indexOf(word) + word.length;
    const command = { line, from, offset: Array.from(commandPrefix).length };
    return { name: tool.name, args: commandArguments(command, await tools.schema(tool)) };
  }
  const known = tools.tools.filter((tool) => admits(tool, "command"));
  const slip = isOfFamily(word, known) ||
    isNearTool(word, known) && !(await programExists(environment, word));
  if (slip) throw unknownCommand(word, known, commandPrefix);
  return { name: SHELL_TOOL, args: { command: line.trim() } };
}

/** The text before the first blank. */
function firstWord(line: string): string {
  return /^\S*/.exec(line)?.[0] ?? "";
}

/** `fs.raed`: a dotted name whose first part some tools start with. */
function isOfFamily(word: string, tools: readonly Tool[]): boolean {
  const family = /^(\w+)\.\w+$/.exec(word)?.[1]?.toLowerCase();
  return family !== undefined &&
    tools.some(({ name }) => name.toLowerCase().split(".")[0] === family);
}

/** Whether one letter more, less, changed or swapped makes a tool of it. */
function isNearTool(word: string, tools: readonly Tool[]): boolean {
  const wanted = word.toLowerCase();
  return tools.some(({ name }) =>
    [name, modelAlias(name)].some((form) => editDistance(wanted, form.toLowerCase()) === 1)
  );
}

function unknownCommand(word: string, tools: readonly Tool[], prefix: string): BubError {
  const close = suggestTools(word, tools);
  return new BubError(
    "unknown_tool",
    `unknown command ${quote(word)}, did you mean ${alternatives(close)}? ` +
      `${prefix}help lists the commands`,
  );
}

function execute(
  { name, args }: ResolvedCommand,
  options: ExecuteOptions,
): Promise<ToolResult> {
  const call = { name, arguments: JSON.stringify(args) };
  return executeCall({ id: options.context.callId, type: "function", function: call }, options);
}

export { parseInbound };
