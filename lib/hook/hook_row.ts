import { alarm } from "../alarm.ts";
import { toBubError } from "../errors.ts";
import type { HookWarning } from "../tool/hooks.ts";
import type { HookName, Hooks, NamedHooks } from "./hooks.ts";

/** How long, in ms, a hook outside of a turn may take before nobody waits for it any more. */
const HOOK_TIME_MS = 10_000;

/** How long, in ms, a hook that is told of an end may take once that is an abort. */
const ENDED_MS = 1_000;

/** The limit of hooks that no turn limits; `signal` may end them sooner. */
export function hookTime(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(HOOK_TIME_MS);
  return signal === undefined ? limit : AbortSignal.any([limit, signal]);
}

/**
 * The limit of hooks that are told how a turn ended: once `signal`, the turn's own, is aborted, the
 * program is about to end and they have little time left.
 */
export function endTime(signal: AbortSignal): Disposable & { readonly limit: AbortSignal } {
  const late = new AbortController();
  let ringing: Disposable | undefined;
  const start = () => {
    ringing = alarm(
      ENDED_MS,
      () => late.abort(new DOMException("time limit reached", "TimeoutError")),
    );
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return {
    limit: hookTime(late.signal),
    [Symbol.dispose]() {
      signal.removeEventListener("abort", start);
      ringing?.[Symbol.dispose]();
    },
  };
}

/** How a hook of each plugin is called; nothing returned: no such hook, or no opinion. */
export type HookCall<T> = (hooks: Hooks) => Promise<T | undefined | void> | T | undefined | void;

/**
 * Takes what a hook returned; true ends the row. Throws for what it should not have returned, which
 * counts as a failure of the hook.
 */
export type HookUse<T> = (returned: T, plugin: string) => boolean | void | Promise<boolean | void>;

/** The hooks of all plugins in the order they are asked, each failure kept to itself. */
export class HookRow {
  readonly #plugins: readonly NamedHooks[];
  readonly #warn: HookWarning;

  /** @param plugins In the order they were registered. */
  constructor(plugins: readonly NamedHooks[], warn: HookWarning) {
    this.#plugins = plugins.toReversed();
    this.#warn = warn;
  }

  has(name: HookName): boolean {
    return this.#plugins.some(({ hooks }) => typeof hooks[name] === "function");
  }

  /**
   * Asks one after another, the last registered first, until `use` ends the row or `limit` is
   * aborted. Never rejects.
   */
  async ask<T>(
    name: HookName,
    limit: AbortSignal,
    call: HookCall<T>,
    use: HookUse<T> = () => {},
  ): Promise<void> {
    for (const { name: plugin, hooks } of this.#plugins) {
      if (typeof hooks[name] !== "function" || limit.aborted) continue;
      try {
        const returned = await unlessAborted(() => call(hooks), limit);
        if (returned === undefined || returned === null) continue;
        if (await use(returned as T, plugin) === true) return;
      } catch (thrown) {
        // An interruption is no fault of the hook; that it took all the time there was may be.
        if (!limit.aborted || isTimeout(limit.reason)) this.#skipped(name, plugin, thrown);
      }
    }
  }

  #skipped(name: HookName, plugin: string, thrown: unknown): void {
    const { message } = toBubError(thrown);
    this.#warn(`the hook ${name} of ${plugin} failed and was skipped: ${message}`);
  }
}

/** What `work` comes to, or a rejection with the reason of an abort while it is at work. */
async function unlessAborted<T>(
  work: () => Promise<T> | T,
  signal: AbortSignal,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([Promise.try(work), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function isTimeout(reason: unknown): boolean {
  return toBubError(reason).kind === "timeout";
}
