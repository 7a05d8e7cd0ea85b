import { resolve } from "@std/path";
import { alternatives } from "../close_match.ts";
import type { Configuration } from "../config/resolve.ts";
import type { Agent } from "../kernel/agent.ts";
import { chooseSkills } from "../skill/turn_skills.ts";
import type { ToolSet } from "../tool/registry.ts";
import { usage } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { within } from "./deadline.ts";

/** The session of the command line unless it names another. */
export const DEFAULT_SESSION = "cli:local";

/** How long the end of the program waits for processes to stop and files to be written, in ms. */
const CLOSE_MS = 2_500;

/** An agent that is closed when it is disposed of. */
export interface OpenAgent extends AsyncDisposable {
  readonly agent: Agent;
}

/** The modules that an agent is built from: started early, they load while other things happen. */
export type AgentModules = ReturnType<typeof loadModules>;

/** Starts loading the runtime and the built-in tools. */
export function loadModules({ builtIn }: CommandContext) {
  return Promise.all([import("../app.ts"), builtIn()]);
}

export interface OpenOptions {
  /** The file for `--record`. */
  readonly record?: string | undefined;
  /** Ends the wait for plugins, and with it the opening, which then rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** Builds the agent. Throws `config`. */
export async function openAgent(
  modules: AgentModules,
  { settings }: Configuration,
  { console }: CommandContext,
  { record, signal }: OpenOptions = {},
): Promise<OpenAgent> {
  const [{ openApp }, { builtinTools, builtinSchemas }] = await modules;
  const agent = await openApp({
    settings,
    tools: builtinTools,
    schemas: builtinSchemas,
    signal,
    record: record === undefined ? undefined : resolve(settings.workspace, record),
    warn: (message) => void console.complain(message, "yellow"),
  });
  return { agent, [Symbol.asyncDispose]: () => within(CLOSE_MS, agent.close()) };
}

/** Throws `config` for a name of `--tools` that is no tool of a model, unknown ones with the close. */
export function checkTools(names: readonly string[], tools: ToolSet): void {
  for (const name of names) {
    const tool = tools.find(name);
    if (tool === undefined) throw usage(`--tools: ${unknownTool(name, tools)}`);
    if (tool.exposure !== "command") continue;
    throw usage(`--tools: ${tool.name} is only a text command, which no model can call`);
  }
}

/** Throws `config` for a name of `--skills` that is no skill, with the close ones. */
export async function checkSkills(names: readonly string[], { skills }: Agent): Promise<void> {
  if (names.length > 0) chooseSkills(names, (await skills.inspect()).skills);
}

/** Says that there is no such tool, and which ones are near. */
export function unknownTool(name: string, tools: ToolSet): string {
  const close = tools.suggest(name);
  const hint = close.length === 0 ? "bub tools lists them" : `did you mean ${alternatives(close)}?`;
  return `there is no tool "${name}"; ${hint}`;
}
