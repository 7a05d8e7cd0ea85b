import type { Settings } from "../config/settings.ts";
import type { Model, UserMessage } from "../model/model.ts";
import type { Skills } from "../skill/skill.ts";
import type { SubagentManager } from "../subagent/manager.ts";
import { notification } from "../subagent/notification.ts";
import type { TaskOwner } from "../subagent/owner.ts";
import type { SubagentPort } from "../subagent/port.ts";
import type { ResultInbox } from "../subagent/result_inbox.ts";
import type { Task } from "../subagent/task.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { TurnState } from "../tool/tool.ts";
import type { OpenChild } from "./child_session.ts";
import { RunSubagents } from "./run_subagents.ts";
import { readSession, type SessionRecord } from "./session_settings.ts";
import type { SubagentLauncher } from "./subagent_launcher.ts";

// Named by a variable, so that Deno loads it when it is used and not before (see main.ts).
const LAUNCHER = "./subagent_launcher.ts";

/** What a call knows of the run, or the text command, that it belongs to. */
export interface CallingRun {
  readonly callId: string;
  readonly tools: ToolRegistry;
  readonly skills: Skills;
  /** The model and the effort in force. */
  readonly model: () => Model;
  readonly reasoningEffort: string | undefined;
  readonly maxSteps: number;
  readonly state: TurnState | undefined;
  /** The prompts of the running step, which the tape does not have yet. */
  readonly prompts: readonly UserMessage[];
  readonly signal: AbortSignal;
  /** Told of each task the call starts. */
  readonly onStart?: (task: Task) => void;
}

/** What the subagents of one session need of it. */
export interface SubagentPlace {
  readonly sessionId: string;
  readonly tape: Tape;
  readonly settings: Settings;
  readonly manager: SubagentManager;
  readonly results: ResultInbox;
  /** This process. */
  readonly owner: TaskOwner;
  /** Throws `config` for a model that cannot be used. */
  readonly model: (id: string) => Model;
  readonly open: OpenChild;
}

/** The subagents of one session. What starts them is loaded with the first that is started. */
export class SessionSubagents {
  readonly #place: SubagentPlace;
  #launcher: Promise<SubagentLauncher> | undefined;

  constructor(place: SubagentPlace) {
    this.#place = place;
  }

  /**
   * The subagents of a turn that begins, with the results the tape has for it. The turn must hold
   * the session: it records the end of tasks whose process is no more.
   */
  async startRun(recorded: SessionRecord): Promise<RunSubagents> {
    const { results, sessionId: session_id } = this.#place;
    const gone = await this.#goneOwners(recorded);
    // Read once more: an owner that went in order wrote the ends before it let go of its lock.
    const { unread, openTasks } = gone.size === 0 ? recorded : await readSession(this.#place.tape);
    results.sync(unread);
    for (const { task_id, owner } of openTasks) {
      if (!gone.has(owner)) continue;
      const end = { status: "cancelled", output: "", errors: ["the program was killed"] } as const;
      await results.put(task_id, notification({ task_id, session_id, ...end }));
    }
    return new RunSubagents(this.#place, (run) => this.port(run));
  }

  port(run: CallingRun): SubagentPort {
    const port = async () => (await (this.#launcher ??= this.#load())).port(run);
    return {
      start: async (request) => await (await port()).start(request),
      wait: async (ids, seconds) => await (await port()).wait(ids, seconds),
      send: async (id, message) => await (await port()).send(id, message),
      cancel: async (id) => await (await port()).cancel(id),
    };
  }

  /** Cancels all tasks of the session and stops what they left running; how many were unfinished. */
  async end(): Promise<number> {
    const { manager, sessionId } = this.#place;
    const tasks = manager.startedBy(sessionId);
    const unfinished = tasks.filter(({ isEnded }) => !isEnded);
    await manager.cancel(tasks);
    await this.stopShells();
    return unfinished.length;
  }

  async stopShells(graceMs?: number): Promise<void> {
    await (await this.#launcher)?.stopShells(graceMs);
  }

  /** The owners of unfinished tasks that are no more. */
  async #goneOwners({ openTasks }: SessionRecord): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const id of new Set(openTasks.map(({ owner }) => owner))) {
      if (!await this.#place.owner.lives(id)) gone.add(id);
    }
    return gone;
  }

  async #load(): Promise<SubagentLauncher> {
    const { SubagentLauncher }: typeof import("./subagent_launcher.ts") = await import(LAUNCHER);
    return new SubagentLauncher(this.#place);
  }
}
