import { toBubError } from "../errors.ts";
import type { BubEvent, EventBus } from "../event.ts";
import { Task, type TaskFacts } from "./task.ts";

/** What a task does, once it is its turn. */
export interface TaskWork {
  /**
   * Runs the subagent to its end, and ends the task with what came of it. What it throws fails the
   * task. Stops soon once the task's signal is aborted.
   */
  run(task: Task): Promise<void>;
  /** Lets go of what was held for the task; called once, when nothing of it runs any more. */
  release(): Promise<void>;
  /** Hands the result to the parent. */
  deliver(task: Task): Promise<void>;
}

export interface ManagerOptions {
  /** At most so many tasks run at once (A7). */
  readonly maxConcurrency: number;
  readonly events: EventBus;
}

/** The subagent tasks of a process: who runs, who waits, and how each of them ended. */
export class SubagentManager {
  readonly #maxConcurrency: number;
  readonly #events: EventBus;
  readonly #tasks = new Map<string, Task>();
  readonly #queue: { readonly task: Task; readonly work: TaskWork }[] = [];
  /** What has not settled: subagents that run or come to rest, results on their way. */
  readonly #open = new Map<Promise<void>, Task>();
  #running = 0;

  constructor({ maxConcurrency, events }: ManagerOptions) {
    this.#maxConcurrency = maxConcurrency;
    this.#events = events;
  }

  /** An id that no task has. */
  newId(): string {
    const id = `sub-${crypto.randomUUID().slice(0, 8)}`;
    return this.#tasks.has(id) ? this.newId() : id;
  }

  /** Starts a task, or queues it while there are too many. */
  start(facts: TaskFacts, work: TaskWork): Task {
    const task = new Task(facts, (ended) => this.#onEnd(ended, work));
    this.#tasks.set(task.id, task);
    this.#queue.push({ task, work });
    this.#pump();
    return task;
  }

  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  /** The tasks that a session has started, in that order. */
  startedBy(sessionId: string): readonly Task[] {
    return [...this.#tasks.values()].filter(({ facts }) => facts.parentSessionId === sessionId);
  }

  /** Whether a task that has not come to rest works in this session. */
  isBusy(sessionId: string): boolean {
    const isIn = ({ facts }: Task) => facts.sessionId === sessionId;
    return this.#queue.some(({ task }) => isIn(task) && !task.isEnded) ||
      this.#open.values().some(isIn);
  }

  /** Tells watchers what the subagent of a running task did. */
  report(task: Task, event: BubEvent): void {
    if (task.isEnded) return;
    task.hear(event);
    this.#emit(task, { type: "subagent.output", event });
  }

  /** Cancels these tasks; resolves when they have come to rest and their ends are on the tape. */
  async cancel(tasks: readonly Task[]): Promise<void> {
    for (const task of tasks) task.cancel();
    await this.settled(tasks);
  }

  /** Waits until nothing of these tasks runs any more and their results are on the tape. */
  async settled(tasks: readonly Task[]): Promise<void> {
    const meant = new Set(tasks);
    const open = [...this.#open].filter(([, task]) => meant.has(task));
    await Promise.all(open.map(([promise]) => promise));
  }

  #pump(): void {
    while (this.#running < this.#maxConcurrency) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { task, work } = next;
      // A cancelled one has let go already.
      if (task.isEnded) continue;
      this.#running++;
      this.#track(task, this.#run(task, work));
    }
  }

  async #run(task: Task, work: TaskWork): Promise<void> {
    task.begin();
    this.#emit(task, { type: "subagent.started" });
    const { timeoutSeconds } = task.facts;
    const timer = timeoutSeconds === null ? undefined : timeLimit(task, timeoutSeconds);
    try {
      await work.run(task);
    } catch (thrown) {
      task.fail(toBubError(thrown).message);
    } finally {
      clearTimeout(timer);
      await this.#release(task, work);
      this.#running--;
      this.#pump();
    }
  }

  #onEnd(task: Task, work: TaskWork): void {
    this.#emit(task, { type: "subagent.finished" });
    const wasQueued = task.record.started_at === null;
    this.#track(task, this.#deliver(task, work));
    if (wasQueued) this.#track(task, this.#release(task, work));
  }

  async #deliver(task: Task, work: TaskWork): Promise<void> {
    try {
      await work.deliver(task);
    } catch (thrown) {
      this.#warn(
        task,
        `the result of ${task.id} is not on the tape: ${toBubError(thrown).message}`,
      );
    }
  }

  async #release(task: Task, work: TaskWork): Promise<void> {
    try {
      await work.release();
    } catch (thrown) {
      this.#warn(task, `${task.id} did not end cleanly: ${toBubError(thrown).message}`);
    }
  }

  #track(task: Task, promise: Promise<void>): void {
    const tracked: Promise<void> = promise.finally(() => this.#open.delete(tracked));
    this.#open.set(tracked, task);
  }

  #warn({ facts }: Task, message: string): void {
    this.#events.emit({ session_id: facts.parentSessionId, type: "warning", message });
  }

  #emit(
    task: Task,
    event:
      | { readonly type: "subagent.started" | "subagent.finished" }
      | { readonly type: "subagent.output"; readonly event: BubEvent },
  ): void {
    const { parentSessionId: session_id, state } = task.facts;
    this.#events.emit({ session_id, ...event, task: task.record, state });
  }
}

/** Timers take at most 2^31 ms; who asks for more than 24 days has no limit. */
function timeLimit(task: Task, seconds: number): ReturnType<typeof setTimeout> | undefined {
  const ms = seconds * 1000;
  return ms < 2 ** 31 ? setTimeout(() => task.expire(), ms) : undefined;
}
