import { alarm } from "../alarm.ts";
import { BubError, toBubError } from "../errors.ts";
import { ToolRegistry } from "../tool/registry.ts";
import { argumentsSchema, loadZod } from "../tool/schema.ts";
import type { Tool } from "../tool/tool.ts";
import { pluginApi } from "./api.ts";
import { importDefault } from "./module.ts";
import type { PluginApi, PluginParts } from "./plugin.ts";
import { pluginProblem } from "./shape.ts";
import { shown } from "./shown.ts";

/** What became of one plugin. */
export type PluginReport =
  | { readonly status: "loaded"; readonly file: string; readonly parts: PluginParts }
  /** `problem` is one sentence. */
  | { readonly status: "broken"; readonly file: string; readonly problem: string };

export interface LoadOptions {
  /** The built-in tools, which those of plugins join or replace. */
  readonly tools: readonly Tool[];
  /** How long, in ms, one plugin may take to load. @default {10_000} */
  readonly limitMs?: number;
  /** Ends the wait: loading then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Loads plugins one after another, in the order given. Never rejects for what a plugin is or does.
 * One that keeps the process busy for ever is waited for: against that nothing helps.
 */
export async function loadPlugins(
  files: readonly string[],
  { tools, limitMs = 10_000, signal }: LoadOptions,
): Promise<readonly PluginReport[]> {
  const { z } = await loadZod();
  const api = pluginApi(z);
  const reports: PluginReport[] = [];
  let present = tools;
  const names = new Map<string, string>();
  for (const file of files) {
    signal?.throwIfAborted();
    try {
      const parts = await within(limitMs, loadParts(file, api), signal);
      const owner = names.get(parts.name);
      if (owner !== undefined) {
        throw new BubError(
          "config",
          `the name ${parts.name} is that of the plugin ${owner} already`,
        );
      }
      present = await joined(present, parts.tools ?? []);
      names.set(parts.name, file);
      reports.push({ status: "loaded", file, parts });
    } catch (thrown) {
      signal?.throwIfAborted();
      const [problem = ""] = toBubError(thrown).message.split("\n", 1);
      reports.push({ status: "broken", file, problem });
    }
  }
  return reports;
}

/** The parts of a plugin, checked. Throws `config`. */
async function loadParts(file: string, api: PluginApi): Promise<PluginParts> {
  const plugin = await importDefault(file);
  if (typeof plugin !== "function") {
    throw new BubError(
      "config",
      `its default export must be a function of the API object, not ${shown(plugin)}`,
    );
  }
  let parts: unknown;
  try {
    parts = await plugin(api);
  } catch (thrown) {
    const { message } = toBubError(thrown);
    throw new BubError("config", `its function failed: ${message}`, { cause: thrown });
  }
  const problem = pluginProblem(parts);
  if (problem !== null) throw new BubError("config", problem);
  return parts as PluginParts;
}

/** All tools with those of one more plugin. Throws for one that no model could be given. */
async function joined(tools: readonly Tool[], added: readonly Tool[]): Promise<readonly Tool[]> {
  for (const tool of added) {
    // Makes the schema from zod, so that a mistake in it shows now and not in a turn.
    await argumentsSchema(tool);
  }
  return new ToolRegistry([...tools, ...added]).tools;
}

async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const abort = () => late.reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  using _listening = { [Symbol.dispose]: () => signal?.removeEventListener("abort", abort) };
  using _alarm = alarm(ms, () => {
    late.reject(new BubError("config", `it was not ready within ${ms / 1000} s`));
  });
  return await Promise.race([work, late.promise]);
}
