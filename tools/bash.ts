import { type Shell, WHOLE_OUTPUT_BYTES } from "../lib/environment/environment.ts";
import { BubError, toBubError } from "../lib/errors.ts";
import { defineTool, type JsonValue, type Tool, type ToolContext } from "../lib/tool/tool.ts";
import { StreamedOutput, type ToolOutput } from "../lib/tool/output.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
/** Milliseconds between TERM and KILL when the turn is interrupted: a person waits. */
const INTERRUPT_GRACE_MS = 1_000;
/** Characters of the head and of the tail of results that are too long to be whole. */
const PREVIEW_CHARACTERS = 6_000;
/** The longest a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const SHELL_ID = "From bash";

const bash = defineTool({
  name: "bash",
  description:
    "Runs a shell command; returns its stdout and stderr. Standard input is empty. When time is " +
    "up it goes on in the background, with a shell_id.",
  parameters: (z) =>
    z.object({
      command: z.string().describe("The command line"),
      cwd: z.string().nullable().default(null).describe("Folder; null: the workspace"),
      timeout_seconds: z.number().min(0).optional().meta({
        description: "Seconds to wait for its end",
        default: DEFAULT_TIMEOUT_SECONDS,
      }),
      background: z.boolean().default(false).describe("Return at once with a shell_id"),
    }),
  async run({ command, cwd, timeout_seconds, background }, context) {
    if (context.signal.aborted) throw interruption(context.signal);
    const shell = await context.shells.start(command, { cwd: cwd ?? undefined });
    if (background) return await progress(shell, 0, null);
    if (context.caller === "command" && timeout_seconds === undefined) {
      return new StreamedOutput("", () => followed(shell, context));
    }
    const patience = timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
    const ended = await endsWithin(shell, patience, context.signal);
    if (!ended && !context.signal.aborted && shell.status === "running") {
      return await progress(shell, 0, null);
    }
    return await result(shell, context);
  },
});

const output = defineTool({
  name: "bash.output",
  description: "Reads the output of a shell so far, from a character offset on.",
  parameters: (z) =>
    z.object({
      shell_id: z.string().describe(SHELL_ID),
      offset: z.number().int().default(0).describe("First character: next_offset to go on"),
      limit: z.number().int().nullable().default(null).describe("Most characters; null: all"),
    }),
  run: ({ shell_id, offset, limit }, { shells }) => progress(shells.get(shell_id), offset, limit),
});

const kill = defineTool({
  name: "bash.kill",
  description: "Ends a shell and all it started.",
  parameters: (z) => z.object({ shell_id: z.string().describe(SHELL_ID) }),
  async run({ shell_id }, { shells }) {
    const shell = shells.get(shell_id);
    await shell.kill();
    return { shell_id, status: shell.status, exit_code: shell.exitCode };
  },
});

/** Running commands. */
export const bashTools: readonly Tool[] = [bash, output, kill];

/** Whether the shell ends within so many seconds; an abort ends the wait, and the shell. */
async function endsWithin(shell: Shell, seconds: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const giveUp = () => resolve(false);
  const timer = setTimeout(giveUp, Math.min(seconds * 1000, MAX_TIMER_MS));
  signal.addEventListener("abort", giveUp);
  // It may have been aborted while the shell was starting.
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([shell.ended.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** How far a shell is, with a part of its output. */
async function progress(shell: Shell, offset: number, limit: number | null): Promise<JsonValue> {
  // Status first: output that comes later may then be missing, but none of an ended shell's.
  const { id, status, exitCode } = shell;
  const { text, next } = await shell.output(offset, limit);
  return { shell_id: id, status, exit_code: exitCode, output: text, next_offset: next };
}

/** What came of a shell that has ended or that the turn's end stops. */
async function result(shell: Shell, { signal, shells }: ToolContext): Promise<ToolOutput> {
  const interrupted = shell.status === "running";
  if (interrupted) await shell.kill(INTERRUPT_GRACE_MS);
  const long = await shell.outputBytes() > WHOLE_OUTPUT_BYTES;
  const text = long ? await preview(shell) : (await shell.output(0, null)).text;
  if (!long) await shells.release(shell.id);
  if (interrupted) throw interruption(signal, text);
  if (shell.exitCode !== 0) {
    const details = { exit_code: shell.exitCode, output: text };
    throw new BubError("tool", `command exited with code ${shell.exitCode}`, { details });
  }
  if (long) return new StreamedOutput(text, () => shell.follow());
  return text === "" ? "(no output)" : text;
}

/**
 * What a typed command prints, as it comes: a person watches it, waits for its end, and ends it
 * with Ctrl-C or by closing the pipe.
 */
async function* followed(
  shell: Shell,
  { signal, shells }: ToolContext,
): AsyncGenerator<string, void, undefined> {
  const stop = () => void shell.kill(INTERRUPT_GRACE_MS);
  signal.addEventListener("abort", stop, { once: true });
  let silent = true;
  try {
    for await (const piece of shell.follow()) {
      yield piece;
      silent = false;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (shell.status === "running") await shell.kill(INTERRUPT_GRACE_MS);
    await shells.release(shell.id);
  }
  if (signal.aborted) throw interruption(signal);
  if (shell.exitCode !== 0) {
    const details = { exit_code: shell.exitCode };
    throw new BubError("tool", `command exited with code ${shell.exitCode}`, { details });
  }
  if (silent) yield "(no output)";
}

/** Head and tail of output too long for a result, and where the rest is. */
async function preview(shell: Shell): Promise<string> {
  const head = await shell.output(0, PREVIEW_CHARACTERS);
  const tail = await shell.tail(PREVIEW_CHARACTERS);
  const bytes = await shell.outputBytes();
  return `${head.text}\n[… of ${bytes} bytes in all only head and tail are shown; ` +
    `bash_output reads on: shell_id ${shell.id}, offset ${head.next} …]\n${tail}`;
}

function interruption(signal: AbortSignal, output?: string): BubError {
  const { kind, message } = toBubError(signal.reason, "interrupted");
  const details = output === undefined ? undefined : { output };
  return new BubError(kind, `command stopped: ${message}`, { details, cause: signal.reason });
}
