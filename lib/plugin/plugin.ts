import type { z as Zod } from "zod";
import type { BubError } from "../errors.ts";
import type { BubEvent } from "../event.ts";
import type { Hooks } from "../hook/hooks.ts";
import type { archiveStamp } from "../tape/archive.ts";
import type { numberDrafts } from "../tape/line.ts";
import type { checkTapeName } from "../tape/name.ts";
import type { MediaOutput } from "../tool/output.ts";
import type { Tool, ToolDefinition } from "../tool/tool.ts";

/** What `defineTool` of a plugin takes: its arguments may also be the zod object itself. */
export interface PluginToolDefinition<S extends Zod.ZodObject>
  extends Omit<ToolDefinition<S>, "parameters"> {
  /** The arguments, every member described. */
  readonly parameters: S | ((z: typeof Zod) => S);
}

/** What a plugin is given, so that it needs no imports. */
export interface PluginApi {
  readonly z: typeof Zod;
  /** Makes a tool. Throws a `TypeError` that says what is wrong with the definition. */
  defineTool<S extends Zod.ZodObject>(definition: PluginToolDefinition<S>): Tool;
  /** What tools and stores throw: `new BubError(kind, message, {details})`. */
  readonly BubError: typeof BubError;
  /** What a tool returns to show images: `new MediaOutput(value, media)`. */
  readonly MediaOutput: typeof MediaOutput;
  /** For tape stores: what all of them do alike. */
  readonly tape: {
    readonly checkTapeName: typeof checkTapeName;
    readonly numberDrafts: typeof numberDrafts;
    readonly archiveStamp: typeof archiveStamp;
  };
}

/** Handlers by the type of event. One that throws or rejects is logged and harms nobody. */
export type EventHandlers = {
  readonly [T in BubEvent["type"]]?: (
    event: Extract<BubEvent, { readonly type: T }>,
  ) => Promise<void> | void;
};

/** What a plugin is made of. */
export interface PluginParts {
  /** For logs and listings; of two plugins with the same name the second is broken. */
  readonly name: string;
  /** Added to the built-in tools; one of the same name takes a built-in tool's place. */
  readonly tools?: readonly Tool[];
  readonly hooks?: Hooks;
  readonly events?: EventHandlers;
}

/** The members of `PluginParts`. */
export const PLUGIN_MEMBERS = ["name", "tools", "hooks", "events"] as const satisfies readonly (
  keyof PluginParts
)[];

/**
 * The default export of a plugin's module.
 *
 * ```ts
 * import type { Plugin } from "…/lib/plugin/mod.ts";
 *
 * const plugin: Plugin = ({ z, defineTool }) => ({
 *   name: "dice",
 *   tools: [
 *     defineTool({
 *       name: "dice.roll",
 *       description: "Rolls a die.",
 *       parameters: z.object({ sides: z.int().min(2).default(6).describe("Number of sides") }),
 *       run: ({ sides }) => 1 + Math.floor(Math.random() * sides),
 *     }),
 *   ],
 * });
 * export default plugin;
 * ```
 */
export type Plugin = (api: PluginApi) => PluginParts | Promise<PluginParts>;
