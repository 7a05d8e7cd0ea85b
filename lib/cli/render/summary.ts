import { isJsonObject, type JsonValue } from "../../json.ts";
import type { TaskRecord } from "../../subagent/port.ts";

/** The most characters of a call's arguments on its line. */
const MAX_ARGUMENTS = 100;
const MAX_REASON = 200;
const MAX_LABEL = 60;

/** The arguments of a call on one line: `path=README.md limit=3`. */
export function argumentSummary(args: JsonValue): string {
  if (!isJsonObject(args)) return oneLine(JSON.stringify(args), MAX_ARGUMENTS);
  const pairs = Object.entries(args).map(([name, value]) => `${name}=${argument(value ?? null)}`);
  return oneLine(pairs.join(" "), MAX_ARGUMENTS);
}

function argument(value: JsonValue): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** Why a call failed, from what the model was told of it. */
export function failureSummary(output: string): string {
  return oneLine(failureMessage(output), MAX_REASON);
}

function failureMessage(output: string): string {
  try {
    const report: JsonValue = JSON.parse(output);
    if (isJsonObject(report) && typeof report.message === "string") return report.message;
  } catch {
    // Not a report: a hook may have replaced it.
  }
  return output;
}

/** `subagent sub-1a2b3c4d (Read the logs)`. */
export function taskLabel({ task_id, description }: TaskRecord): string {
  return `subagent ${task_id} (${oneLine(description, MAX_LABEL)})`;
}

/** `completed, 1.2 s`, with the reason where there is one. */
export function taskEnd({ status, errors, started_at, finished_at }: TaskRecord): string {
  const ran = started_at !== null && finished_at !== null;
  const time = ran ? `, ${duration(Date.parse(finished_at) - Date.parse(started_at))}` : "";
  const reason = errors.length > 0 ? `: ${oneLine(errors.join("; "), MAX_REASON)}` : "";
  return `${status}${time}${reason}`;
}

/** Text without line breaks, at most `limit` characters, cut at the end. */
export function oneLine(text: string, limit: number): string {
  const characters = Array.from(text.slice(0, 4 * limit).replaceAll(/\s+/g, " ").trim());
  return characters.length <= limit
    ? characters.join("")
    : `${characters.slice(0, limit - 1).join("")}…`;
}

/** Milliseconds for people: `12 ms`, `1.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
