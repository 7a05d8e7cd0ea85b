import { BubError } from "../errors.ts";
import type { BubEvent, TurnResult } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { Usage } from "../model/model.ts";
import { addUsage, NO_USAGE } from "../model/usage.ts";
import type { TaskRecord, TaskStatus, TaskView } from "./port.ts";

/** What is known of a task from the start. */
export interface TaskFacts {
  readonly id: string;
  readonly sessionId: string;
  readonly parentSessionId: string;
  readonly parentCallId: string;
  readonly description: string;
  readonly model: string;
  readonly profile: string | null;
  /** Whether the session outlives the task, so that it can go on in another one. */
  readonly keepsSession: boolean;
  /** Seconds from leaving the queue; null: no limit. */
  readonly timeoutSeconds: number | null;
  /** The state of the turn that started it. */
  readonly state: JsonObject;
}

type TaskEnd = Exclude<TaskStatus, "queued" | "running">;

/** One piece of work given to a subagent: queued, then running, then ended, which happens once. */
export class Task {
  readonly facts: TaskFacts;
  /** Whether the parent has got the result, by a notification or as the result of a call. */
  isRead = false;
  readonly #abort = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  /** Dropped with all it holds once it has been called: tasks are remembered for long. */
  #onEnd: ((task: Task) => void) | null;
  readonly #created = new Date();
  #started: Date | null = null;
  #finished: Date | null = null;
  #status: TaskStatus = "queued";
  #output = "";
  #errors: readonly string[] = [];
  #usage: Usage = NO_USAGE;
  #steps = 0;
  #toolCalls = 0;
  /** What each step has said so far. */
  readonly #said: string[] = [];

  /** @param onEnd Called once, at the moment the task ends. */
  constructor(facts: TaskFacts, onEnd: (task: Task) => void) {
    this.facts = facts;
    this.#onEnd = onEnd;
  }

  get id(): string {
    return this.facts.id;
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get isEnded(): boolean {
    return this.#finished !== null;
  }

  /** Resolves when the task ends; never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Aborted when the task has ended in another way than by itself. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get view(): TaskView {
    return {
      task_id: this.id,
      session_id: this.facts.sessionId,
      status: this.#status,
      output: this.#output,
      errors: this.#errors,
    };
  }

  get record(): TaskRecord {
    const { parentSessionId, parentCallId, description, model, profile } = this.facts;
    return {
      ...this.view,
      parent_session_id: parentSessionId,
      parent_call_id: parentCallId,
      description,
      model,
      profile,
      usage: this.#usage,
      steps: this.#steps,
      tool_calls: this.#toolCalls,
      created_at: this.#created.toISOString(),
      started_at: this.#started?.toISOString() ?? null,
      finished_at: this.#finished?.toISOString() ?? null,
    };
  }

  /** Leaves the queue. */
  begin(): void {
    this.#status = "running";
    this.#started = new Date();
  }

  /** Takes in what the subagent does. */
  hear(event: BubEvent): void {
    switch (event.type) {
      case "step.start":
        this.#steps++;
        this.#said.push("");
        break;
      case "text":
        this.#said.push((this.#said.pop() ?? "") + event.text);
        break;
      case "retry":
      case "fallback":
        this.#said.pop();
        this.#said.push("");
        break;
      case "tool.start":
        this.#toolCalls++;
        break;
      case "step.end":
        if (event.usage !== null) this.#usage = addUsage(this.#usage, event.usage);
        break;
      default:
        break;
    }
  }

  /** Ends as the subagent's turn did. */
  finish({ status, output, error }: TurnResult): void {
    if (status === "ok") this.#end("completed", output, []);
    else this.fail(error?.message ?? `the turn ended as ${status}`);
  }

  fail(reason: string): void {
    this.#end("failed", this.#partial(), [reason]);
  }

  /** Ends the task and then what it does; false: it had ended before. */
  cancel(): boolean {
    const cancelled = this.#end("cancelled", this.#partial(), []);
    this.#abort.abort(new BubError("interrupted", "the subagent was cancelled"));
    return cancelled;
  }

  /** The time is up. */
  expire(): void {
    const reason = `time limit of ${this.facts.timeoutSeconds} s`;
    this.fail(reason);
    this.#abort.abort(new BubError("timeout", reason));
  }

  #partial(): string {
    return this.#said.filter((text) => text !== "").join("\n\n");
  }

  #end(status: TaskEnd, output: string, errors: readonly string[]): boolean {
    if (this.isEnded) return false;
    this.#finished = new Date();
    this.#status = status;
    this.#output = output;
    this.#errors = errors;
    this.#said.length = 0;
    this.#ended.resolve();
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.(this);
    return true;
  }
}
