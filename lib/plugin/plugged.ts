import type { EventBus } from "../event.ts";
import { HookRunner } from "../hook/runner.ts";
import type { TapeStore } from "../tape/store.ts";
import type { Tool } from "../tool/tool.ts";
import { subscribeHandlers } from "./events.ts";
import { loadPlugins } from "./load.ts";
import type { PluginParts } from "./plugin.ts";

export interface PlugInOptions {
  /** Absolute path of `<home>`; undefined: there is none, and no plugin is asked for a store. */
  readonly home: string | undefined;
  readonly workspace: string;
  /** Absolute paths of the plugins. */
  readonly files: readonly string[];
  /** The built-in tools. */
  readonly tools: readonly Tool[];
  /** Ends the wait for plugins and what they provide; plugging in then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told of plugins that are broken and of what fails in the others. */
  readonly warn: (message: string) => void;
}

/** What all plugins together bring into the program. */
export interface Plugged {
  readonly tools: readonly Tool[];
  readonly hooks: HookRunner;
  /** Undefined: tapes are files, or in memory where there is no home folder. */
  readonly store: TapeStore | undefined;
  /** Names of sidecars. */
  readonly sidecars: readonly string[];
  /** Lets the handlers of events listen. */
  listen(bus: EventBus): void;
}

/** Loads plugins and plugs them in. Broken ones are told to `warn` and left out. */
export async function plugIn(options: PlugInOptions): Promise<Plugged> {
  const { files, tools, signal, warn } = options;
  const reports = await loadPlugins(files, { tools, signal });
  for (const report of reports) {
    if (report.status === "broken") {
      warn(`the plugin ${report.file} was skipped: ${report.problem}`);
    }
  }
  const plugins = reports.flatMap((report) => report.status === "loaded" ? [report.parts] : []);
  return await plug(plugins, options);
}

/** Asks plugins, in the order they were registered, what they provide. */
export async function plug(
  plugins: readonly PluginParts[],
  { home, workspace, signal, warn }: Omit<PlugInOptions, "files" | "tools">,
): Promise<Plugged> {
  const hooks = new HookRunner(
    plugins.map(({ name, hooks = {} }) => ({ name, hooks })),
    warn,
  );
  const store = home === undefined
    ? undefined
    : await hooks.provideTapeStore({ home, workspace }, signal);
  const sidecars = await hooks.provideSidecars(signal);
  if (signal?.aborted) {
    store?.close();
    throw signal.reason;
  }
  return {
    tools: plugins.flatMap(({ tools = [] }) => tools),
    hooks,
    store,
    sidecars,
    listen(bus) {
      for (const plugin of plugins) subscribeHandlers(bus, plugin, warn);
    },
  };
}
