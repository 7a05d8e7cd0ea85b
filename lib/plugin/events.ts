import { toBubError } from "../errors.ts";
import type { BubEvent, EventBus } from "../event.ts";
import type { PluginParts } from "./plugin.ts";

/**
 * Lets the handlers of a plugin listen. `warn` is told of each handler's first failure: one that
 * fails for every word of an answer would bury everything else.
 */
export function subscribeHandlers(
  bus: EventBus,
  { name, events = {} }: PluginParts,
  warn: (message: string) => void,
): void {
  if (Object.keys(events).length === 0) return;
  const failed = new Set<string>();
  bus.subscribe((event) => {
    // Which event belongs to which handler is known by the map, not to the compiler.
    const handler = events[event.type] as ((event: BubEvent) => Promise<void> | void) | undefined;
    if (handler === undefined) return;
    Promise.try(() => handler.call(events, event)).catch((thrown) => {
      if (failed.has(event.type)) return;
      failed.add(event.type);
      const { message } = toBubError(thrown);
      warn(`the handler of ${name} for ${event.type} failed: ${message} (said once)`);
    });
  });
}
