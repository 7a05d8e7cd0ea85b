import type { SubagentProfile } from "../config/settings.ts";
import type { TurnResult } from "../event.ts";
import { addUsage } from "../model/usage.ts";
import { settledOrAborted } from "../settled.ts";
import type { SubagentPort } from "../subagent/port.ts";
import type { ResultInbox, TakenResults } from "../subagent/result_inbox.ts";
import type { Task } from "../subagent/task.ts";
import type { CallingRun, SubagentPlace } from "./subagents.ts";

/** The subagents of one turn: what it started, and the results that it has to read. */
export class RunSubagents {
  readonly #tasks: Task[] = [];
  readonly #manager: SubagentPlace["manager"];
  readonly #results: ResultInbox;
  readonly #profiles: Readonly<Record<string, SubagentProfile>>;
  readonly #port: (run: CallingRun) => SubagentPort;

  constructor(
    { manager, results, settings }: SubagentPlace,
    port: (run: CallingRun) => SubagentPort,
  ) {
    this.#manager = manager;
    this.#results = results;
    this.#profiles = settings.subagents;
    this.#port = port;
  }

  /** What calls may name as `agent`. */
  get profiles(): Readonly<Record<string, SubagentProfile>> {
    return this.#profiles;
  }

  /** What one call of this turn may do. */
  port(call: Omit<CallingRun, "onStart">): SubagentPort {
    return this.#port({ ...call, onStart: (task) => this.#tasks.push(task) });
  }

  /** Whether the turn may not end yet: results are unread, or still to come. */
  get isOpen(): boolean {
    return !this.#results.isEmpty || this.#tasks.some(({ isEnded }) => !isEnded);
  }

  /** The results for the coming step. */
  take(): TakenResults {
    const taken = this.#results.take();
    for (const { id } of taken.results) {
      const task = this.#manager.find(id);
      if (task !== undefined) task.isRead = true;
    }
    return taken;
  }

  /** Waits for the next result; false: there is none to come. Ends early with the signal. */
  async next(signal: AbortSignal): Promise<boolean> {
    while (this.#results.isEmpty && this.isOpen && !signal.aborted) {
      const unfinished = this.#tasks.filter(({ isEnded }) => !isEnded);
      await settledOrAborted(unfinished.map(({ ended }) => ended), signal);
    }
    return this.isOpen;
  }

  /** Cancels what is unfinished and waits for it to come to rest. */
  async cancel(): Promise<void> {
    await this.#manager.cancel(this.#tasks);
  }

  /** The result of the turn with the tasks and what they took. */
  sum(result: TurnResult): TurnResult {
    if (this.#tasks.length === 0) return result;
    const tasks = this.#tasks.map(({ record }) => record);
    const usage = tasks.map((task) => task.usage).reduce(addUsage, result.usage);
    return { ...result, usage, tasks };
  }
}
