import { alarm } from "../alarm.ts";
import { BubError } from "../errors.ts";
import { settledOrAborted } from "../settled.ts";
import type { SubagentPort, TaskRequest, TaskView } from "../subagent/port.ts";
import { stillAllowed } from "../subagent/scope.ts";
import { readStartedTask } from "../subagent/started_task.ts";
import type { Task } from "../subagent/task.ts";
import type { SubagentLauncher } from "./subagent_launcher.ts";
import type { CallingRun, SubagentPlace } from "./subagents.ts";

/** The longest that a timer can wait, in ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** What one call may do about the subagents of its session. */
export class CallSubagents implements SubagentPort {
  readonly #launcher: SubagentLauncher;
  readonly #place: SubagentPlace;
  readonly #run: CallingRun;

  constructor(launcher: SubagentLauncher, place: SubagentPlace, run: CallingRun) {
    this.#launcher = launcher;
    this.#place = place;
    this.#run = run;
  }

  async start(request: TaskRequest): Promise<TaskView> {
    return (await this.#launcher.start(request, this.#run)).view;
  }

  async wait(
    taskIds: readonly string[] | null,
    timeoutSeconds: number,
  ): Promise<readonly TaskView[]> {
    const { manager, sessionId, results } = this.#place;
    const tasks = taskIds === null
      ? manager.startedBy(sessionId).filter(({ isRead }) => !isRead)
      : [...new Set(taskIds)].map((id) => this.#known(id));
    await allEnded(tasks, timeoutSeconds, this.#run.signal);
    const views = tasks.map(({ view }) => view);
    const ended = tasks.filter(({ isEnded }) => isEnded);
    for (const task of ended) task.isRead = true;
    await results.discard(ended.map(({ id }) => id));
    return views;
  }

  async send(taskId: string, message: string): Promise<TaskView> {
    if (message.trim() === "") {
      throw new BubError("invalid_input", "message must say something, got nothing but blanks");
    }
    const { manager, sessionId, tape } = this.#place;
    const task = manager.find(taskId);
    const isOwn = task?.facts.parentSessionId === sessionId;
    if (task !== undefined && isOwn && !task.isEnded && this.#launcher.steer(task, message)) {
      return task.view;
    }
    const started = await readStartedTask(tape, taskId);
    if (started === undefined) throw this.#unknown(taskId);
    if (!started.keepsSession) {
      throw new BubError(
        "invalid_input",
        `${taskId} has ended and its session ${started.sessionId} was discarded; start another ` +
          `subagent, with a session of its own name if it is to go on later`,
      );
    }
    const { request, sessionId: session } = started;
    const allowed = await stillAllowed(this.#run, {
      tools: request.allowed_tools,
      skills: request.allowed_skills,
    });
    return await this.start({
      ...request,
      agent: null,
      prompt: message,
      description: null,
      session,
      allowed_tools: allowed.tools,
      allowed_skills: allowed.skills,
    });
  }

  cancel(taskId: string): Promise<TaskView> {
    return Promise.try(() => {
      const task = this.#known(taskId);
      if (task.cancel()) return task.view;
      return { ...task.view, note: `the task had ended as ${task.status} before` };
    });
  }

  #known(id: string): Task {
    const task = this.#place.manager.find(id);
    if (task?.facts.parentSessionId === this.#place.sessionId) return task;
    throw this.#unknown(id);
  }

  #unknown(id: string): BubError {
    const { manager, sessionId } = this.#place;
    const known = manager.startedBy(sessionId).map((task) => task.id).join(", ") || "none";
    return new BubError(
      "invalid_input",
      `there is no task ${JSON.stringify(id)} of this session; known tasks: ${known}`,
    );
  }
}

/** Waits for the end of all; no longer than `seconds`. Throws the signal's reason. */
async function allEnded(
  tasks: readonly Task[],
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (seconds <= 0 || tasks.every(({ isEnded }) => isEnded)) return;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  using _limit = alarm(Math.min(seconds * 1000, LONGEST_MS), resolve);
  await settledOrAborted([over, Promise.all(tasks.map(({ ended }) => ended))], signal);
  signal.throwIfAborted();
}
