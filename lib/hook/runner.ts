import { isJsonObject, type JsonObject } from "../json.ts";
import { sidecarName } from "../tape/name.ts";
import type { TapeStore } from "../tape/store.ts";
import type { HookWarning, ToolHooks } from "../tool/hooks.ts";
import type { TurnState } from "../tool/tool.ts";
import { unexpected } from "../tool/unexpected.ts";
import { endTime, HookRow, hookTime } from "./hook_row.ts";
import type { Failure, HookTurn, InboundMessage, NamedHooks, StorePlace } from "./hooks.ts";
import { TurnHooks } from "./turn_hooks.ts";

/** The members that make a tape store. */
const STORE_MEMBERS = [
  "append",
  "read",
  "list",
  "remove",
  "reset",
  "close",
] as const satisfies readonly (keyof TapeStore)[];

/**
 * Calls the hooks of all plugins outside of turns, and makes the `TurnHooks` of each turn. Nothing
 * here rejects for what a hook did.
 */
export class HookRunner {
  readonly #plugins: readonly NamedHooks[];
  readonly #row: HookRow;

  /**
   * @param plugins In the order they were registered.
   * @param warn Told of hooks that failed.
   */
  constructor(plugins: readonly NamedHooks[], warn: HookWarning) {
    this.#plugins = plugins;
    this.#row = new HookRow(plugins, warn);
  }

  /** The same hooks, whose failures are told to somebody else. */
  warning(warn: HookWarning): HookRunner {
    return new HookRunner(this.#plugins, warn);
  }

  /** The hooks around tool calls, which whoever runs a call asks. */
  get toolHooks(): readonly ToolHooks[] {
    return this.#plugins.map(({ name, hooks }) => ({
      name,
      beforeToolCall: (call) => hooks.beforeToolCall?.(call),
      afterToolCall: (call, result) => hooks.afterToolCall?.(call, result),
    }));
  }

  /** Undefined: nobody has another store than the files. */
  async provideTapeStore(
    place: StorePlace,
    signal?: AbortSignal,
  ): Promise<TapeStore | undefined> {
    let store: TapeStore | undefined;
    await this.#row.ask(
      "provideTapeStore",
      hookTime(signal),
      (hooks) => hooks.provideTapeStore?.(place),
      (provided) => {
        store = checkedStore(provided);
        return true;
      },
    );
    return store;
  }

  /** Names of sidecars, each once. */
  async provideSidecars(signal?: AbortSignal): Promise<readonly string[]> {
    const names = new Set<string>();
    await this.#row.ask(
      "provideSidecar",
      hookTime(signal),
      (hooks) => hooks.provideSidecar?.(),
      (provided) => {
        for (const name of checkedSidecars(provided)) names.add(name);
      },
    );
    return [...names];
  }

  async resolveSession(inbound: InboundMessage, signal?: AbortSignal): Promise<string> {
    let id = inbound.sessionId;
    await this.#row.ask(
      "resolveSession",
      hookTime(signal),
      (hooks) => hooks.resolveSession?.(inbound),
      (resolved) => {
        if (typeof resolved !== "string" || resolved === "") {
          throw unexpected("a session id", resolved);
        }
        id = resolved;
        return true;
      },
    );
    return id;
  }

  /** Loads the state of a turn. `state` is what it has already, as that of a subagent's parent. */
  async startTurn(start: Omit<HookTurn, "state"> & { state?: TurnState }): Promise<TurnHooks> {
    const { sessionId, workspace, message, signal } = start;
    const state: TurnState = { ...start.state };
    await this.#row.ask<JsonObject>(
      "loadState",
      signal,
      (hooks) => hooks.loadState?.({ sessionId, workspace, message }),
      (loaded) => {
        if (!isJsonObject(loaded)) throw unexpected("an object", loaded);
        for (const [key, value] of Object.entries(loaded)) {
          if (value !== undefined && !Object.hasOwn(state, key)) state[key] = value;
        }
      },
    );
    return new TurnHooks({ ...start, state }, this.#row);
  }

  /** @param signal That of the turn or text command. */
  async onError(failure: Failure, signal: AbortSignal): Promise<void> {
    using end = endTime(signal);
    await this.#row.ask("onError", end.limit, (hooks) => hooks.onError?.(failure));
  }
}

function checkedStore(provided: TapeStore): TapeStore {
  const missing = STORE_MEMBERS.find((name) => typeof provided[name] !== "function");
  if (missing === undefined) return provided;
  throw new TypeError(`a tape store has the method ${missing}, but this one does not`);
}

function checkedSidecars(provided: unknown): readonly string[] {
  const list: unknown = typeof provided === "string" ? [provided] : provided;
  if (!Array.isArray(list) || !list.every((name) => typeof name === "string")) {
    throw unexpected("the name of a sidecar or a list of names", provided);
  }
  for (const name of list) sidecarName("any", name);
  return list;
}
