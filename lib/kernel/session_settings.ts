import type { Settings } from "../config/settings.ts";
import { BubError, toBubError } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { parseEffort } from "../model/effort.ts";
import type { Model } from "../model/model.ts";
import {
  MESSAGE_EVENT,
  READ_EVENT,
  type WaitingResult,
  waitingResult,
} from "../subagent/result_inbox.ts";
import { type OpenTask, openTask, TASK_EVENT } from "../subagent/started_task.ts";
import { type EntryDraft, eventEntry } from "../tape/entry.ts";
import type { Tape } from "../tape/tape.ts";
import { LOADED_EVENT, type SessionSettings } from "../tool/tool.ts";

/** What a tape says about its session: settings, loaded deferred tools, tasks and results. */
export interface SessionRecord extends SessionSettings {
  /** Runtime names. */
  readonly loadedTools: readonly string[];
  /** Results of subagents that no step has read, in the order they came. */
  readonly unread: readonly WaitingResult[];
  /** Subagent tasks that have no end, in the order they were started. */
  readonly openTasks: readonly OpenTask[];
  /** Id of the last entry that was there when this was read; 0: none was. */
  readonly asOf: number;
}

/** A turn begins with this event, whose data repeat what was recorded until then. */
const TURN = "loop.start";

// The first name is Python Bub's.
const MODEL = "model_switch";
const EFFORT = "reasoning_effort_switch";
const CODE_MODE = "code_mode_switch";

const MENTION = [
  TURN,
  MODEL,
  EFFORT,
  CODE_MODE,
  LOADED_EVENT,
  MESSAGE_EVENT,
  READ_EVENT,
  TASK_EVENT,
].map((name) => JSON.stringify(name));

/**
 * What `tape` says about its session now: the newest of each setting. Reads back to the last turn,
 * which repeats all that was before it; only a tape without a turn of this program is looked
 * through to its start.
 */
export async function readSession(tape: Tape): Promise<SessionRecord> {
  const asOf = await lastId(tape);
  const said: Said = {
    loaded: new Set(),
    read: new Set(),
    unread: [],
    ended: new Set(),
    openTasks: [],
  };
  let copy: JsonObject = {};
  let copied = 0;
  for await (const { id, kind, payload } of tape.read("newest", { mention: MENTION })) {
    if (id <= copied) break;
    const { name, data } = payload;
    if (kind !== "event" || !isJsonObject(data)) continue;
    if (name !== TURN) {
      hear(name, data, said);
    } else if (copied === 0 && isJsonObject(data.session)) {
      copy = data.session;
      copied = Number(copy.as_of);
      // Commands may have come between the reading and the writing of the copy; mostly none has.
      if (copied === id - 1) break;
    }
  }
  addNames(copy.loaded_tools, said.loaded);
  hearUnread(Array.isArray(copy.unread) ? copy.unread : [], said);
  hearTasks(Array.isArray(copy.open_tasks) ? copy.open_tasks : [], said);
  return {
    model: said.model ?? text(copy.model),
    reasoningEffort: said.reasoningEffort ?? text(copy.reasoning_effort),
    codeMode: said.codeMode ?? flag(copy.code_mode),
    loadedTools: [...said.loaded],
    unread: said.unread,
    openTasks: said.openTasks,
    asOf,
  };
}

/** The copy of `record` that a turn's first event carries as `session`. */
export function sessionCopy(record: SessionRecord): JsonObject {
  const { model, reasoningEffort, codeMode, loadedTools, unread, openTasks, asOf } = record;
  return {
    as_of: asOf,
    model,
    reasoning_effort: reasoningEffort,
    code_mode: codeMode,
    loaded_tools: loadedTools.length === 0 ? undefined : loadedTools,
    unread: unread.length === 0 ? undefined : unread,
    open_tasks: openTasks.length === 0 ? undefined : openTasks,
  };
}

function settingEntries(settings: SessionSettings): readonly EntryDraft[] {
  const { model, reasoningEffort, codeMode } = settings;
  const entries: EntryDraft[] = [];
  if (model !== undefined) entries.push(eventEntry(MODEL, { model }));
  if (reasoningEffort !== undefined) {
    entries.push(eventEntry(EFFORT, { reasoning_effort: reasoningEffort }));
  }
  if (codeMode !== undefined) entries.push(eventEntry(CODE_MODE, { enable: codeMode }));
  return entries;
}

/** Where settings of a session are checked, ranked and recorded. */
export interface SettingsPlace {
  readonly tape: Tape;
  readonly settings: Settings;
  /** Throws `config` for a model that cannot be used. */
  readonly model: (id: string | undefined) => Model;
}

/** The model to ask: the flag's, then the session's own, then the other settings' (L4). */
export function modelInForce(
  own: string | undefined,
  { settings, model }: Omit<SettingsPlace, "tape">,
): Model {
  if (own === undefined || settings.modelOrigin === "flag") return model(settings.model);
  try {
    return model(own);
  } catch (thrown) {
    const { kind, message } = toBubError(thrown, "config");
    const change = `${settings.commandPrefix}model and --model choose another`;
    throw new BubError(kind, `this session's model ${own}: ${message}; ${change}`, {
      cause: thrown,
    });
  }
}

/** The effort to ask for, ranked alike; beside the session only the flag sets it. */
export function effortInForce(
  own: string | undefined,
  { reasoningEffort }: Settings,
): string | undefined {
  return reasoningEffort ?? own;
}

/** Whether code mode is on, ranked alike. */
export function codeModeInForce(own: boolean | undefined, { codeMode }: Settings): boolean {
  return codeMode ?? own ?? false;
}

/** See `SessionControl.change`. */
export async function changeSettings(
  change: SessionSettings,
  { tape, settings, model }: SettingsPlace,
): Promise<readonly (keyof SessionSettings)[]> {
  if (change.model !== undefined) model(change.model);
  if (change.reasoningEffort !== undefined) parseEffort(change.reasoningEffort);
  await tape.append(...settingEntries(change));
  const outranked: (keyof SessionSettings)[] = [];
  if (change.model !== undefined && settings.modelOrigin === "flag") outranked.push("model");
  if (change.reasoningEffort !== undefined && settings.reasoningEffort !== undefined) {
    outranked.push("reasoningEffort");
  }
  if (change.codeMode !== undefined && settings.codeMode !== undefined) outranked.push("codeMode");
  return outranked;
}

/** What events said, the newest of each kind. */
interface Said {
  model?: string | undefined;
  reasoningEffort?: string | undefined;
  codeMode?: boolean | undefined;
  readonly loaded: Set<string>;
  /** Ids of results that have been read. */
  readonly read: Set<string>;
  /** Oldest first. */
  readonly unread: WaitingResult[];
  /** Ids of tasks that have come to an end. */
  readonly ended: Set<string>;
  /** Oldest first. */
  readonly openTasks: OpenTask[];
}

/** Takes in an event that is older than those before. */
function hear(name: JsonValue | undefined, data: JsonObject, said: Said): void {
  switch (name) {
    case MODEL:
      said.model ??= text(data.model);
      break;
    case EFFORT:
      said.reasoningEffort ??= text(data.reasoning_effort);
      break;
    case CODE_MODE:
      said.codeMode ??= flag(data.enable);
      break;
    case LOADED_EVENT:
      addNames(data.names, said.loaded);
      break;
    case READ_EVENT:
      addNames(data.ids, said.read);
      addNames(data.ids, said.ended);
      break;
    case MESSAGE_EVENT:
      hearUnread([data], said);
      addNames([data.id ?? null], said.ended);
      break;
    case TASK_EVENT:
      hearTasks([data], said);
      break;
  }
}

/** Takes in results, oldest first, that came before those known so far. */
function hearUnread(older: readonly JsonValue[], { read, unread }: Said): void {
  const results = older.flatMap((data) => waitingResult(data) ?? []);
  unread.unshift(...results.filter(({ id }) => !read.has(id)));
}

/** Takes in tasks, oldest first, that were started before those known so far. */
function hearTasks(older: readonly JsonValue[], { ended, openTasks }: Said): void {
  const tasks = older.flatMap((data) => openTask(data) ?? []);
  openTasks.unshift(...tasks.filter(({ task_id }) => !ended.has(task_id)));
}

async function lastId(tape: Tape): Promise<number> {
  for await (const { id } of tape.read("newest")) return id;
  return 0;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function flag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function addNames(value: JsonValue | undefined, names: Set<string>): void {
  if (!Array.isArray(value)) return;
  for (const name of value) if (typeof name === "string") names.add(name);
}
