import { BubError } from "../errors.ts";
import { parseEffort } from "../model/effort.ts";
import type { UserMessage } from "../model/model.ts";
import type { TaskWork } from "../subagent/manager.ts";
import { notification } from "../subagent/notification.ts";
import type { SubagentPort, TaskRequest } from "../subagent/port.ts";
import { withProfile } from "../subagent/profile.ts";
import { readEntries } from "../subagent/result_inbox.ts";
import { subagentSkills, subagentTools } from "../subagent/scope.ts";
import { startedEntry } from "../subagent/started_task.ts";
import type { Task, TaskFacts } from "../subagent/task.ts";
import { contentParts } from "../tape/content.ts";
import { tapeName } from "../tape/name.ts";
import type { Tape } from "../tape/tape.ts";
import { CallSubagents } from "./call_subagents.ts";
import type { ChildSession, Inheritance, OpenedChild } from "./child_session.ts";
import { discardedTape } from "./discarded_tape.ts";
import type { CallingRun, SubagentPlace } from "./subagents.ts";

/** A session that a subagent works in; events go to the task under way. */
interface Child extends OpenedChild {
  task: Task | undefined;
}

/** Starts the subagents of one session, and keeps the sessions that can go on. */
export class SubagentLauncher {
  readonly #place: SubagentPlace;
  /** Child sessions that outlive their tasks, by id. */
  readonly #kept = new Map<string, Child>();
  /** The sessions of unfinished tasks, for what they are told on the way. */
  readonly #working = new Map<string, ChildSession>();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(place: SubagentPlace) {
    this.#place = place;
  }

  port(run: CallingRun): SubagentPort {
    return new CallSubagents(this, this.#place, run);
  }

  /** Starts one task after the other, so that their order, and numbers, are those of the calls. */
  start(request: TaskRequest, run: CallingRun): Promise<Task> {
    const started = this.#starting.then(() => this.#start(request, run));
    this.#starting = started.catch(() => {});
    return started;
  }

  /** Hands a message to a subagent that has not ended; false: it has. */
  steer({ id }: Task, message: string): boolean {
    const session = this.#working.get(id);
    session?.steer(message);
    return session !== undefined;
  }

  async stopShells(graceMs?: number): Promise<void> {
    const sessions = [
      ...this.#kept.values().map(({ session }) => session),
      ...this.#working.values(),
    ];
    await Promise.all(sessions.map((session) => session.stopShells(graceMs)));
  }

  async #start(given: TaskRequest, run: CallingRun): Promise<Task> {
    const { settings, manager, owner, tape, sessionId: parentSessionId } = this.#place;
    run.signal.throwIfAborted();
    const request = withProfile(given, settings.subagents);
    const content = promptContent(request.prompt);
    const inherited = await this.#inherited(request, run);
    const id = manager.newId();
    const named = request.session?.trim() || "temp";
    const keepsSession = !/^(temp|fork|inherit)$/i.test(named);
    const kind = keepsSession ? named : named.toLowerCase();
    const sessionId = keepsSession ? kind : `${kind === "temp" ? "temp" : "fork"}/${id}`;
    const child = keepsSession ? this.#keptChild(sessionId) : this.#openChild(
      sessionId,
      await discardedTape(kind, tape, {
        name: tapeName(settings.workspace, sessionId),
        prompts: run.prompts,
      }),
    );
    const held = keepsSession ? await this.#hold(sessionId, child, run.signal) : undefined;
    try {
      await owner.claim();
      await tape.append(startedEntry({ id, sessionId, keepsSession, owner: owner.id, request }));
      if (run.signal.aborted) {
        // It never began: there is no end to tell.
        await tape.append(...readEntries([id]));
        throw run.signal.reason;
      }
    } catch (thrown) {
      held?.[Symbol.dispose]();
      throw thrown;
    }
    const facts: TaskFacts = {
      id,
      sessionId,
      parentSessionId,
      parentCallId: run.callId,
      description: request.description ?? firstLine(content),
      model: inherited.model.id,
      profile: request.agent,
      keepsSession,
      timeoutSeconds: request.timeout_seconds ?? settings.subagentTimeoutSeconds,
      state: inherited.state,
    };
    this.#working.set(id, child.session);
    const task = manager.start(
      facts,
      this.#work(id, child, { content, inherited, held, keepsSession }),
    );
    run.onStart?.(task);
    return task;
  }

  async #inherited(request: TaskRequest, run: CallingRun): Promise<Inheritance> {
    const effort = request.reasoning_effort ?? run.reasoningEffort;
    if (effort !== undefined) parseEffort(effort);
    return {
      model: request.model === null ? run.model() : this.#place.model(request.model),
      reasoningEffort: effort,
      tools: subagentTools(run.tools, request.allowed_tools, request.agent),
      skills: await subagentSkills(run.skills, request.allowed_skills),
      maxSteps: run.maxSteps,
      state: run.state ?? {},
    };
  }

  #openChild(id: string, tape?: Tape): Child {
    const { manager, open } = this.#place;
    const child: Child = {
      ...open({
        id,
        tape,
        onEvent: (event) => child.task !== undefined && manager.report(child.task, event),
      }),
      task: undefined,
    };
    return child;
  }

  #keptChild(id: string): Child {
    const { sessionId, manager } = this.#place;
    if (id === sessionId) {
      throw new BubError(
        "invalid_input",
        `session must be temp, fork or another session than the caller's own, got ${
          JSON.stringify(id)
        }`,
      );
    }
    if (manager.isBusy(id)) throw busy(id, "an unfinished task");
    const child = this.#kept.get(id) ?? this.#openChild(id);
    this.#kept.set(id, child);
    return child;
  }

  /**
   * Holds a kept session from now until the task has ended. Does not wait for it: who has it may be
   * waiting for a slot, or for us.
   */
  async #hold(id: string, { gate }: Child, signal: AbortSignal): Promise<Disposable> {
    const taken = new AbortController();
    const onWait = () => taken.abort(busy(id, "a turn under way"));
    return await gate({ signal: AbortSignal.any([signal, taken.signal]), onWait });
  }

  #work(
    id: string,
    child: Child,
    { content, inherited, held, keepsSession }: {
      readonly content: UserMessage["content"];
      readonly inherited: Inheritance;
      readonly held: Disposable | undefined;
      readonly keepsSession: boolean;
    },
  ): TaskWork {
    const { session } = child;
    const rest = () => keepsSession ? Promise.resolve() : session.stopShells();
    return {
      run: async (task) => {
        child.task = task;
        for (let next = content;;) {
          const result = await session.prompt(next, { signal: task.signal, inherited });
          await rest();
          // What came too late for the last step is read in one more turn.
          const late = result.status === "ok" ? session.takePending() : [];
          if (late.length === 0) return task.finish(result);
          next = late.join("\n\n");
        }
      },
      release: async () => {
        child.task = undefined;
        this.#working.delete(id);
        session.takePending();
        held?.[Symbol.dispose]();
        if (!keepsSession) await session.close();
      },
      deliver: (task) => this.#place.results.put(task.id, notification(task.view)),
    };
  }
}

function busy(id: string, reason: string): BubError {
  return new BubError(
    "invalid_input",
    `the session ${JSON.stringify(id)} has ${reason}; wait for its end, or use another session`,
  );
}

function promptContent(prompt: TaskRequest["prompt"]): UserMessage["content"] {
  const content = contentParts(prompt);
  if (content.length > 0) return content;
  throw new BubError("invalid_input", "prompt must say something, got nothing but blanks");
}

function firstLine(content: UserMessage["content"]): string {
  const text = typeof content === "string"
    ? content
    : content.flatMap((part) => part.type === "text" ? [part.text] : [])[0] ?? "";
  return text.trim().split("\n", 1)[0] ?? "";
}
