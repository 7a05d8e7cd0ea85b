import { toBubError } from "../errors.ts";
import type { ParsedArgs } from "./args.ts";
import { Conversation } from "./chat/conversation.ts";
import { readLines } from "./chat/input.ts";
import { ChatPipe } from "./chat/pipe.ts";
import type { TerminalSize } from "./chat/line_editor.ts";
import { ChatTerminal } from "./chat/terminal.ts";
import type { CommandContext } from "./command.ts";
import { configure, settingFlags } from "./configure.ts";
import type { CHAT_FLAGS } from "./flags.ts";
import { checkSkills, checkTools, DEFAULT_SESSION, loadModules, openAgent } from "./open_agent.ts";
import { ChatRenderer } from "./render/chat.ts";
import { signalExitCode, SignalWatch } from "./signals.ts";

/** `bub chat`: a conversation, on a terminal or over pipes. */
export async function chat(
  { flags }: ParsedArgs<typeof CHAT_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const modules = loadModules(context);
  using configuration = await configure(settingFlags(flags), context, { saves: true });
  const { settings } = configuration;
  await using opened = await openAgent(modules, configuration, context, { record: flags.record });
  const { agent } = opened;
  if (flags.tools !== undefined) checkTools(flags.tools, agent.tools);
  if (flags.skills !== undefined) await checkSkills(flags.skills, agent);
  const sessionId = await agent.resolveSession(flags["session-id"] ?? DEFAULT_SESSION, "");
  const session = agent.session(sessionId);

  using terminal = hasEditor(context)
    ? new ChatTerminal(console.stdout, console.stderr, Deno.stdin, consoleSize)
    : null;
  const port = terminal ?? new ChatPipe(console, Deno.stdin.isTerminal());
  const renderer = new ChatRenderer(port, sessionId, settings.verbosity);
  agent.events.subscribe(renderer.onEvent);
  const conversation = new Conversation({
    session,
    port,
    renderer,
    commandPrefix: settings.commandPrefix,
    turn: { maxSteps: flags["max-steps"], allowedTools: flags.tools, allowedSkills: flags.skills },
  });
  agent.events.subscribe((event) => {
    if (event.type === "quit" && event.session_id === sessionId) {
      conversation.push({ type: "quit" });
    }
  });
  using _signals = new SignalWatch((signal) =>
    conversation.push(
      signal === "SIGINT"
        ? { type: "interrupt" }
        : { type: "terminate", exitCode: signalExitCode(signal) },
    )
  );
  const hangUp = signalExitCode("SIGHUP");
  const { stdout } = console;
  stdout.failed.addEventListener(
    "abort",
    () => conversation.push({ type: "terminate", exitCode: stdout.isTerminal ? hangUp : 1 }),
  );
  if (terminal !== null) void terminal.read(conversation.push);
  else {
    readLines(Deno.stdin, conversation.push).catch((thrown) => {
      const isTerminal = Deno.stdin.isTerminal();
      if (!isTerminal) void console.complain(unreadable(thrown));
      conversation.push({ type: "terminate", exitCode: isTerminal ? hangUp : 1 });
    });
  }
  return await conversation.run();
}

function unreadable(thrown: unknown): string {
  return `standard input cannot be read: ${toBubError(thrown).message}`;
}

/** Whether lines can be edited here: both ends are a terminal that knows escape codes. */
function hasEditor({ console, env }: CommandContext): boolean {
  return Deno.stdin.isTerminal() && console.stdout.isTerminal && env.TERM !== "dumb";
}

function consoleSize(): TerminalSize {
  try {
    return Deno.consoleSize();
  } catch {
    // The terminal has hung up, and nobody sees what is drawn.
    return { columns: 80, rows: 24 };
  }
}
