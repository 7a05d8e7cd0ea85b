import { toBubError } from "../errors.ts";
import type { TurnResult } from "../event.ts";
import { NO_USAGE } from "../model/usage.ts";
import type { Media } from "../tool/output.ts";
import type { FlagValues, ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { configure, settingFlags } from "./configure.ts";
import { timeLimit } from "./deadline.ts";
import { exitCode } from "./exit_code.ts";
import type { RUN_FLAGS } from "./flags.ts";
import type { ImagePrompt } from "./images.ts";
import { readMessage } from "./message.ts";
import { checkSkills, checkTools, DEFAULT_SESSION, loadModules, openAgent } from "./open_agent.ts";
import type { Renderer } from "./render/renderer.ts";
import { Interruption } from "./signals.ts";

// Named by a variable, so that Deno loads it with the first image and not before (see main.ts).
const IMAGES = "./images.ts";

type RunFlags = FlagValues<typeof RUN_FLAGS>;

/** `bub run`: one message, one turn. */
export async function run(
  args: ParsedArgs<typeof RUN_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const { flags } = args;
  const { stdout } = context.console;
  using interruption = new Interruption(context.exit);
  const limit = timeLimit(flags.timeout);
  const signals = [interruption.signal, stdout.failed, ...(limit === undefined ? [] : [limit])];
  const signal = AbortSignal.any(signals);
  let sessionId = flags["session-id"] ?? DEFAULT_SESSION;
  const show = (verbosity = 0) => createRenderer(flags.output, sessionId, verbosity, context);
  let renderer = await show(settingFlags(flags).verbosity);
  let result: TurnResult;
  try {
    const modules = loadModules(context);
    using configuration = await configure(settingFlags(flags), context, { saves: true });
    const { settings } = configuration;
    renderer = await show(settings.verbosity);
    const message = await readMessage(args, Deno.stdin, {
      commandPrefix: settings.commandPrefix,
      signal,
      onHint: (line) => void (settings.verbosity >= 0 && context.console.complain(line, "dim")),
    });
    const { commandPrefix } = settings;
    const prompt = { message, commandPrefix, env: context.env, signal };
    const media = await promptImages(flags.image, prompt);
    await using opened = await openAgent(modules, configuration, context, {
      record: flags.record,
      signal,
    });
    const { agent } = opened;
    interruption.onForce = () => agent.close({ graceMs: 0 });
    if (flags.tools !== undefined) checkTools(flags.tools, agent.tools);
    if (flags.skills !== undefined) await checkSkills(flags.skills, agent);
    const resolved = await agent.resolveSession(sessionId, message, signal);
    signal.throwIfAborted();
    if (resolved !== sessionId) {
      sessionId = resolved;
      renderer = await show(settings.verbosity);
    }
    agent.events.subscribe(renderer.onEvent);
    const session = agent.session(sessionId);
    result = await session.run(message, {
      signal,
      maxSteps: flags["max-steps"],
      allowedTools: flags.tools,
      allowedSkills: flags.skills,
      media,
      write: renderer.write,
    });
  } catch (thrown) {
    result = failedResult(sessionId, thrown, signal);
  }
  // When nobody reads any more, there is nobody to tell; `runCli` knows what that comes to.
  if (stdout.failed.aborted) return interruption.exitCode ?? 1;
  await renderer.finish(result);
  return exitCode(result, interruption.exitCode);
}

/** What `--image` shows. Throws `config`. */
async function promptImages(
  paths: RunFlags["image"],
  prompt: ImagePrompt,
): Promise<readonly Media[]> {
  if (paths === undefined) return [];
  const { readImages }: typeof import("./images.ts") = await import(IMAGES);
  return await readImages(paths, prompt);
}

async function createRenderer(
  output: RunFlags["output"] = "text",
  sessionId: string,
  verbosity: number,
  { console }: CommandContext,
): Promise<Renderer> {
  switch (output) {
    case "text": {
      const { TextRenderer } = await import("./render/text.ts");
      return new TextRenderer(console, sessionId, verbosity);
    }
    case "json": {
      const { JsonRenderer } = await import("./render/json.ts");
      return new JsonRenderer(console, sessionId, verbosity);
    }
    case "stream-json": {
      const { StreamJsonRenderer } = await import("./render/stream_json.ts");
      return new StreamJsonRenderer(console, sessionId, verbosity);
    }
  }
}

/** The result of a run that did not come to its turn. */
function failedResult(sessionId: string, thrown: unknown, signal: AbortSignal): TurnResult {
  const error = toBubError(signal.aborted ? signal.reason : thrown);
  const { kind } = error;
  return {
    session_id: sessionId,
    output: "",
    status: kind === "timeout" || kind === "interrupted" ? kind : "error",
    steps: 0,
    usage: NO_USAGE,
    tasks: [],
    error: error.report(),
  };
}
