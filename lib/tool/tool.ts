import type { z as Zod } from "zod";
import type { Environment, Shells } from "../environment/environment.ts";
import type { JsonValue } from "../json.ts";
import type { Skills } from "../skill/skill.ts";
import type { SubagentPort } from "../subagent/port.ts";
import type { Tape } from "../tape/tape.ts";
import type { CodePort } from "./code_port.ts";
import type { Media, ToolOutput } from "./output.ts";
import type { ToolSet } from "./registry.ts";

/** Who may call a tool; SPEC section 1. */
export const EXPOSURES = ["default", "deferred", "code", "command"] as const;
export type Exposure = typeof EXPOSURES[number];

/** Who is calling. */
export const CALLERS = ["model", "command", "code"] as const;
export type Caller = typeof CALLERS[number];

/** Which callers each exposure admits; whether a deferred tool is loaded yet is not decided here. */
const ADMITTED: Readonly<Record<Exposure, readonly Caller[]>> = {
  default: ["model", "command", "code"],
  deferred: ["model", "command", "code"],
  code: ["code"],
  command: ["command"],
};

/** Whether a tool is there at all for this kind of caller. */
export function admits(tool: Tool, caller: Caller): boolean {
  return ADMITTED[tool.exposure].includes(caller);
}

/** What plugins keep along one turn: JSON values by name, changed in place. */
export type TurnState = Record<string, JsonValue>;

/** The event that records the loading of deferred tools, with their runtime `names` (S3). */
export const LOADED_EVENT = "tool.loaded";

/** What lasts on a session's tape; SC2 to SC4. */
export interface SessionSettings {
  /** `provider:model`. */
  readonly model?: string | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly codeMode?: boolean | undefined;
}

/** What `quit` came to. */
export interface SessionQuit {
  /** Messages that no turn will read. */
  readonly messages: number;
  /** Turns and commands that were interrupted. */
  readonly turns: number;
  /** Subagents that were running or queued. */
  readonly subagents: number;
  /** Shells that were running. */
  readonly shells: number;
}

/** What the session commands may do to the session they are given in. */
export interface SessionControl {
  /**
   * Records settings, which act from the next turn on, also in later processes, until the tape is
   * reset. Throws `config` for one that cannot be used; nothing is recorded then. Returns those
   * that a flag of this process outranks (L4).
   */
  change(settings: SessionSettings): Promise<readonly (keyof SessionSettings)[]>;
  /** Drops pending messages and ends whatever runs (SC5), save the call that asks for it. */
  quit(): Promise<SessionQuit>;
}

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly environment: Environment;
  /** The shells of the calling session. */
  readonly shells: Shells;
  /** The tape of the calling session. */
  readonly tape: Tape;
  readonly sessionId: string;
  readonly session: SessionControl;
  /** The tools there are for this call's session. */
  readonly tools: ToolSet;
  /** The skills this turn may use. */
  readonly skills: Skills;
  readonly caller: Caller;
  /** The subagents of this session; absent where there can be none: in a subagent. */
  readonly subagents?: SubagentPort | undefined;
  /** Runs code that calls tools; absent for calls from such code, which runs no further code. */
  readonly code?: CodePort | undefined;
  /**
   * Adds media to the result of the `run_code` call whose code makes this call, throws `tool` when
   * that is too much; else absent.
   */
  readonly attach?: ((media: Media) => void) | undefined;
  /** The id the model gave the call; made up for commands. */
  readonly callId: string;
  /** What a text command starts with. */
  readonly commandPrefix: string;
  /** The sidecars of plugins, by the names they gave; absent without plugins. */
  readonly sidecars?: Readonly<Record<string, Tape>> | undefined;
  /** The state of the turn, shared with its hooks; absent outside of a turn and without plugins. */
  readonly state?: TurnState | undefined;
  /** Aborted when the turn is interrupted or out of time: stop soon, leave nothing half-done. */
  readonly signal: AbortSignal;
}

/** A tool as the registry keeps it: one value, no state. */
export interface Tool {
  /** Dotted runtime name, such as `fs.read`. */
  readonly name: string;
  /** For the model: what it does, in a sentence or two. */
  readonly description: string;
  readonly exposure: Exposure;
  /** The schema of the arguments: built at the first call, the same object from then on. */
  readonly parameters: (z: typeof Zod) => Zod.ZodObject;
  /** Called with arguments that passed `parameters`. Throws `BubError` to fail. */
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}

/** What `defineTool` takes; `exposure` defaults to `default`. */
export interface ToolDefinition<S extends Zod.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly exposure?: Exposure;
  /**
   * The arguments as a zod object, every member described. A function, so that no schema is built
   * before its tool is called: start-up pays for none of them.
   */
  readonly parameters: (z: typeof Zod) => S;
  run(args: Zod.output<S>, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}

/**
 * Makes a tool.
 *
 * ```ts
 * export const upper = defineTool({
 *   name: "text.upper",
 *   description: "Returns the text in capitals.",
 *   parameters: (z) => z.object({ text: z.string().describe("What to change") }),
 *   run: ({ text }) => text.toUpperCase(),
 * });
 * ```
 */
export function defineTool<S extends Zod.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { run, parameters, exposure = "default", ...rest } = definition;
  let schema: Zod.ZodObject | undefined;
  return {
    ...rest,
    exposure,
    parameters: (z) => schema ??= refuseUnknown(parameters(z)),
    run: (args, context) => run(args as Zod.output<S>, context),
  };
}

/** Unknown parameters are mistakes, unless the author said what becomes of them. */
function refuseUnknown(schema: Zod.ZodObject): Zod.ZodObject {
  return schema.def.catchall === undefined ? schema.strict() : schema;
}

/** The name under which models know a tool: dots become underscores. */
export function modelAlias(name: string): string {
  return name.replaceAll(".", "_");
}

export type { JsonValue, ToolOutput };
