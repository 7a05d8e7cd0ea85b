import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type EntryDraft, eventEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";
import type { TaskRequest } from "./port.ts";

/** The event by which a later run of the program knows what a task was. */
export const TASK_EVENT = "subagent.task";

/** What the parent's tape keeps of a task: what it takes to go on with it. */
export interface StartedTask {
  readonly id: string;
  readonly sessionId: string;
  readonly keepsSession: boolean;
  /** The process that it belongs to. */
  readonly owner: string;
  /** As it was started, less the prompt. */
  readonly request: Omit<TaskRequest, "prompt">;
}

export function startedEntry(
  { id, sessionId, keepsSession, owner, request }: StartedTask,
): EntryDraft {
  const { agent, description, model, reasoning_effort, session } = request;
  const { allowed_tools, allowed_skills, timeout_seconds } = request;
  return eventEntry(TASK_EVENT, {
    task_id: id,
    session_id: sessionId,
    keeps_session: keepsSession,
    owner,
    request: {
      agent,
      description,
      model,
      reasoning_effort,
      session,
      allowed_tools,
      allowed_skills,
      timeout_seconds,
    },
  });
}

/** A task whose end is not on the tape, and the process that it belongs to. */
export interface OpenTask extends JsonObject {
  readonly task_id: string;
  readonly owner: string;
}

/** The task in the data of a `TASK_EVENT`, or undefined where it is none. */
export function openTask(data: JsonValue | undefined): OpenTask | undefined {
  if (!isJsonObject(data)) return undefined;
  const { task_id, owner } = data;
  return typeof task_id === "string" && typeof owner === "string" ? { task_id, owner } : undefined;
}

/** The task of that id, where `tape` says that its session started it. */
export async function readStartedTask(tape: Tape, id: string): Promise<StartedTask | undefined> {
  for await (const { kind, payload } of tape.read("newest", { mention: [JSON.stringify(id)] })) {
    const { name, data } = payload;
    if (kind !== "event" || name !== TASK_EVENT || !isJsonObject(data)) continue;
    if (data.task_id !== id || !isJsonObject(data.request)) continue;
    return {
      id,
      sessionId: String(data.session_id),
      keepsSession: data.keeps_session === true,
      owner: String(data.owner),
      request: storedRequest(data.request),
    };
  }
  return undefined;
}

function storedRequest(stored: JsonObject): StartedTask["request"] {
  const text = (key: string) => typeof stored[key] === "string" ? String(stored[key]) : null;
  const texts = (key: string) => Array.isArray(stored[key]) ? stored[key].map(String) : null;
  return {
    agent: text("agent"),
    description: text("description"),
    model: text("model"),
    reasoning_effort: text("reasoning_effort"),
    session: text("session"),
    allowed_tools: texts("allowed_tools"),
    allowed_skills: texts("allowed_skills"),
    timeout_seconds: typeof stored.timeout_seconds === "number" ? stored.timeout_seconds : null,
  };
}
