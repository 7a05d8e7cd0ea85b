import { join } from "@std/path";
import { temporaryFolder } from "../config/home.ts";
import { resolveSettings } from "../config/resolve.ts";
import { requireGranted } from "../environment/granted.ts";
import { BubError } from "../errors.ts";
import type { TurnResult } from "../event.ts";
import type { ParsedArgs } from "./args.ts";
import type { CommandContext } from "./command.ts";
import averageScript from "./demo/average.sh" with { type: "text" };
import recording from "./demo/recording.jsonl" with { type: "text" };
import testScript from "./demo/test.sh" with { type: "text" };
import { exitCode } from "./exit_code.ts";
import type { DEMO_FLAGS } from "./flags.ts";
import { type AgentModules, DEFAULT_SESSION, loadModules, openAgent } from "./open_agent.ts";
import { TextRenderer } from "./render/text.ts";
import { Interruption } from "./signals.ts";

const TASK =
  "The test in this folder fails (sh test.sh). Find out why, mend it, and run the test again.";

/** A folder with a small project, a home and a recording, removed when it is disposed of. */
interface DemoFolder extends AsyncDisposable {
  readonly project: string;
  readonly home: string;
  readonly recording: string;
}

/**
 * `bub demo`: a recorded model mends a failing test with real tools, in a temporary folder. The
 * exit code is 0 only if the test, run by the demo itself, failed before and passes after it.
 */
export async function demo(
  { flags }: ParsedArgs<typeof DEMO_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const modules = loadModules(context);
  using interruption = new Interruption(context.exit);
  await using folder = await createFolder(context.env);
  const say = (line: string) => console.stderr.write(`${console.stderr.paint("bold", line)}\n`);
  if (await testPasses(folder.project)) {
    throw new BubError("internal", "the test of the demo passes before it has been mended");
  }
  await say("A demo without a model: its words are recorded, and the tools run for real.");
  await say(`The folder: ${folder.project}, gone when the demo ends`);
  await say(`The task: ${TASK}\n`);
  const result = await mend(folder, modules, context, { interruption, verbosity: flags.verbose });
  if (result.status !== "ok") return exitCode(result, interruption.exitCode);
  await console.flush();
  const passes = await testPasses(folder.project);
  await say(
    passes
      ? "\nChecked: the test failed before, and it passes now."
      : "\nChecked: the test still fails.",
  );
  return passes ? 0 : 1;
}

async function mend(
  folder: DemoFolder,
  modules: AgentModules,
  context: CommandContext,
  { interruption, verbosity = 0 }: { interruption: Interruption; verbosity: number | undefined },
): Promise<TurnResult> {
  // Nothing of the user's configuration: it could change what the recording answers to.
  const own = Object.entries(context.env).filter(([name]) => !name.startsWith("BUB_"));
  using configuration = await resolveSettings({
    flags: { workspace: folder.project, model: `replay:${folder.recording}`, verbosity },
    env: { ...Object.fromEntries(own), BUB_HOME: folder.home },
    saves: true,
  });
  await using opened = await openAgent(modules, configuration, context);
  const { agent } = opened;
  interruption.onForce = () => agent.close({ graceMs: 0 });
  const renderer = new TextRenderer(context.console, DEFAULT_SESSION, verbosity);
  agent.events.subscribe(renderer.onEvent);
  const session = agent.session(DEFAULT_SESSION);
  const result = await session.run(TASK, { signal: interruption.signal, write: renderer.write });
  await renderer.finish(result);
  return result;
}

async function createFolder(env: CommandContext["env"]): Promise<DemoFolder> {
  const dir = temporaryFolder(env);
  for (const name of ["read", "write"] as const) requireGranted({ name, path: dir });
  const root = await Deno.makeTempDir({ dir, prefix: "bub-demo-" });
  const project = join(root, "project");
  const recordingFile = join(root, "recording.jsonl");
  await Deno.mkdir(project);
  await Deno.writeTextFile(join(project, "average.sh"), averageScript);
  await Deno.writeTextFile(join(project, "test.sh"), testScript);
  await Deno.writeTextFile(recordingFile, recording);
  return {
    project,
    home: join(root, "home"),
    recording: recordingFile,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function testPasses(project: string): Promise<boolean> {
  try {
    const test = new Deno.Command("sh", { args: ["test.sh"], cwd: project, stdin: "null" });
    return (await test.output()).success;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new BubError("config", "the demo needs the program sh, which was not found", { cause });
  }
}
