import type { JsonObject } from "../json.ts";
import type { Usage } from "../model/model.ts";

/** How far a task is; the last three are ends, of which each task comes to one (A9). */
export const TASK_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
export type TaskStatus = typeof TASK_STATUSES[number];

/** What the model sees of a task (A1). */
export interface TaskView extends JsonObject {
  readonly task_id: string;
  readonly session_id: string;
  readonly status: TaskStatus;
  /** Empty until the task has ended; of one that did not complete, what it had said by then. */
  readonly output: string;
  /** Why it failed. */
  readonly errors: readonly string[];
}

/** What watchers see of a task (A10). Times are ISO 8601 in UTC. */
export interface TaskRecord extends TaskView {
  readonly parent_session_id: string;
  readonly parent_call_id: string;
  readonly description: string;
  /** `provider:model`. */
  readonly model: string;
  /** Null: it was started without one. */
  readonly profile: string | null;
  /** Summed over the steps so far. */
  readonly usage: Usage;
  readonly steps: number;
  readonly tool_calls: number;
  readonly created_at: string;
  /** When it left the queue. */
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** What a subagent is started with; null: from the profile, else from the run that starts it. */
export interface TaskRequest {
  /** Text, or content parts in one of the forms that tapes hold. */
  readonly prompt: string | readonly JsonObject[];
  readonly agent: string | null;
  readonly description: string | null;
  readonly model: string | null;
  readonly reasoning_effort: string | null;
  /** `temp`, `fork`, or the id of a session that is kept. */
  readonly session: string | null;
  readonly allowed_tools: readonly string[] | null;
  readonly allowed_skills: readonly string[] | null;
  readonly timeout_seconds: number | null;
}

/** What one call of a tool may do about subagents. Tasks of other sessions are unknown to it. */
export interface SubagentPort {
  /** Returns at once. Throws `invalid_input` or `config` for what cannot be started. */
  start(request: TaskRequest): Promise<TaskView>;
  /**
   * The tasks once all of them have ended or the time is up; those that have ended then count as
   * read. Null: all that are unread. Throws `invalid_input` for an unknown id.
   */
  wait(taskIds: readonly string[] | null, timeoutSeconds: number): Promise<readonly TaskView[]>;
  /** Tells a running task something, or lets a kept session of an ended one go on in a new task. */
  send(taskId: string, message: string): Promise<TaskView>;
  /** Ends a task. `note` says that it had ended before. */
  cancel(taskId: string): Promise<TaskView>;
}
