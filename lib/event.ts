import type { ErrorReport } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Usage } from "./model/model.ts";
import type { TaskRecord } from "./subagent/port.ts";

/** How a turn ended; `interrupted` covers signals and Ctrl-C. */
export const TURN_STATUSES = ["ok", "error", "timeout", "interrupted"] as const;
export type TurnStatus = typeof TURN_STATUSES[number];

/** How a tool call or a text command ended. */
export const CALL_STATUSES = ["ok", "error"] as const;
export type CallStatus = typeof CALL_STATUSES[number];

/** What a turn comes to. The fields of `--output json`, and of the last line of `stream-json`. */
export interface TurnResult {
  readonly session_id: string;
  /** Text of the last step without tool calls; of the last step at all when the turn failed. */
  readonly output: string;
  readonly status: TurnStatus;
  readonly steps: number;
  /** Summed over the steps, and the subagents of the turn. */
  readonly usage: Usage;
  /** The subagent tasks the turn started. */
  readonly tasks: readonly TaskRecord[];
  readonly error: ErrorReport | null;
}

/**
 * Everything that a person or a script can watch, in the order it happens. The three outputs and
 * the chat fold this union; `stream-json` prints it as it is, so names and fields are a contract
 * (docs/events.md). Every event carries the session it belongs to.
 */
export type BubEvent = { readonly session_id: string } & EventBody;

export type EventBody =
  | { readonly type: "turn.start"; readonly prompt: string; readonly model: string }
  | { readonly type: "step.start"; readonly step: number }
  /** A piece of the model's answer. */
  | { readonly type: "text"; readonly step: number; readonly text: string }
  | { readonly type: "reasoning"; readonly step: number; readonly text: string }
  | {
    readonly type: "tool.start";
    readonly step: number;
    readonly call_id: string;
    /** The call of `run_code` whose code makes this one. */
    readonly parent_call_id?: string;
    /** Runtime name where the tool is known, else the name as the model wrote it. */
    readonly name: string;
    readonly arguments: JsonValue;
  }
  | {
    readonly type: "tool.end";
    readonly step: number;
    readonly call_id: string;
    readonly parent_call_id?: string;
    readonly name: string;
    readonly status: CallStatus;
    readonly elapsed_ms: number;
    /** What the model sees of the result. */
    readonly output: string;
  }
  /** The text of this step so far is void; the request goes out again. */
  | {
    readonly type: "retry";
    readonly step: number;
    readonly attempt: number;
    readonly delay_ms: number;
    readonly reason: string;
  }
  | {
    readonly type: "fallback";
    readonly step: number;
    readonly model: string;
    readonly reason: string;
  }
  /** Messages that were waiting in the steering inbox and are read by this step. */
  | { readonly type: "steering"; readonly step: number; readonly messages: readonly string[] }
  | {
    readonly type: "step.end";
    readonly step: number;
    readonly status: "continue" | TurnStatus;
    readonly elapsed_ms: number;
    readonly usage: Usage | null;
  }
  /** Something the user should know and that stops nothing. */
  | { readonly type: "warning"; readonly message: string }
  /** The turn waits for another turn of the same session. */
  | { readonly type: "waiting"; readonly message: string }
  /** The session is being quit (`,quit`): what runs in it ends. */
  | { readonly type: "quit" }
  /** A subagent has left the queue. Like the two below it belongs to the session that started it. */
  | { readonly type: "subagent.started"; readonly task: TaskRecord; readonly state: JsonObject }
  /** What a subagent does: an event of its own session. */
  | {
    readonly type: "subagent.output";
    readonly task: TaskRecord;
    readonly state: JsonObject;
    readonly event: BubEvent;
  }
  /** A subagent has ended, or was cancelled in the queue. */
  | { readonly type: "subagent.finished"; readonly task: TaskRecord; readonly state: JsonObject }
  | ({ readonly type: "result" } & TurnResult);

/** Every type of event, so that code can tell a name that none has. */
export const EVENT_TYPES: Readonly<Record<BubEvent["type"], true>> = {
  "turn.start": true,
  "step.start": true,
  text: true,
  reasoning: true,
  "tool.start": true,
  "tool.end": true,
  retry: true,
  fallback: true,
  steering: true,
  "step.end": true,
  warning: true,
  waiting: true,
  quit: true,
  "subagent.started": true,
  "subagent.output": true,
  "subagent.finished": true,
  result: true,
};

/** Takes events as they happen. What it throws harms nobody else. */
export type EventListener = (event: BubEvent) => void;

/** The agent's bus: every listener gets every event, in order, at once. */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  readonly #onFailure: (thrown: unknown, event: BubEvent) => void;

  /** @param onFailure Told of listeners that threw. They go on listening. Must not throw. */
  constructor(onFailure: (thrown: unknown, event: BubEvent) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** Starts listening; call the answer to stop. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: BubEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (thrown) {
        this.#onFailure(thrown, event);
      }
    }
  }
}
