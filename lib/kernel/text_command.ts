import { eventEntry } from "../tape/entry.ts";
import type { Skills } from "../skill/skill.ts";
import type { Tape } from "../tape/tape.ts";
import { type CommandResult, runCommand } from "../tool/command.ts";
import type { SessionControl } from "../tool/tool.ts";
import type { TurnOptions } from "./agent.ts";
import { callContext, type CallScope } from "./call_scope.ts";
import { CodeCalls } from "./code_calls.ts";
import type { SessionParts } from "./session_parts.ts";
import {
  codeModeInForce,
  effortInForce,
  modelInForce,
  readSession,
  type SessionRecord,
} from "./session_settings.ts";
import type { SessionSubagents } from "./subagents.ts";

/** The session that a text command is given in. */
export interface CommandPlace {
  readonly parts: SessionParts;
  readonly session: SessionControl;
  readonly subagents: SessionSubagents | undefined;
  readonly skills: Skills;
  readonly sidecars: Readonly<Record<string, Tape>>;
  readonly warn: (message: string) => void;
}

/** Runs one text command, and records it (T7). Rejects only when the tape cannot be written. */
export async function runTextCommand(
  line: string,
  { signal, write }: TurnOptions,
  place: CommandPlace,
): Promise<CommandResult> {
  const { tape } = place.parts;
  const scope = commandCalls(await readSession(tape), signal, place);
  const { tools, hooks, warn } = scope;
  const callId = `command-${crypto.randomUUID()}`;
  const code = new CodeCalls(scope, callId);
  const context = callContext(scope, { callId, caller: "command", code });
  const command = await runCommand(line, { tools, hooks, write, warn, context });
  await code.ended();
  await tape.append(eventEntry("command", command.record));
  return command;
}

function commandCalls(
  recorded: SessionRecord,
  signal: AbortSignal,
  { parts, session, subagents, skills, sidecars, warn }: CommandPlace,
): CallScope {
  const { settings, registry, environment, shells, hooks, tape, sandbox } = parts;
  const tools = registry.inCodeMode(codeModeInForce(recorded.codeMode, settings))
    .load(recorded.loadedTools);
  const run = {
    tools,
    skills,
    model: () => modelInForce(recorded.model, parts),
    reasoningEffort: effortInForce(recorded.reasoningEffort, settings),
    maxSteps: settings.maxSteps,
    state: undefined,
    prompts: [],
  };
  return {
    environment,
    shells,
    tape,
    sessionId: parts.id,
    session,
    tools,
    skills,
    commandPrefix: settings.commandPrefix,
    sidecars,
    state: undefined,
    signal,
    hooks,
    // The command ends at once; what it starts goes on.
    subagents: subagents && ((callId, signal) => subagents.port({ ...run, callId, signal })),
    sandbox,
    watch: undefined,
    warn,
  };
}
