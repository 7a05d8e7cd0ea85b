import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { ScriptedCall } from "../provider/answer.ts";
import { call, messages } from "./subagent_script.ts";
import { type ProcessOptions, TemporaryAgent } from "./temporary_agent.ts";

/** What a process in code mode is started with. */
export const CODE_MODE: ProcessOptions = { flags: { codeMode: true } };

/** A call of `run_code`. */
export function code(text: string, options: JsonObject = {}): ScriptedCall {
  return call("run_code", { code: text, ...options });
}

/** What the model read of the calls of its first step. */
export function firstResults(app: TemporaryAgent): string[] {
  const { body = {} } = app.server.requests[1] ?? {};
  return messages(body).filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

/**
 * A turn in code mode whose model runs these codes at once and is done then; what it read of each.
 */
export async function runCodes(
  codes: readonly (string | ScriptedCall)[],
  options: ProcessOptions = {},
): Promise<{ readonly app: TemporaryAgent; readonly results: readonly string[] }> {
  const calls = codes.map((each) => typeof each === "string" ? code(each) : each);
  const answers = (_request: unknown, n: number) => n === 0 ? { calls } : { text: "done" };
  const app = await TemporaryAgent.open(answers, {}, { ...CODE_MODE, ...options });
  await app.run("go");
  return { app, results: firstResults(app) };
}

/** The data of the tape's `code.call` events. */
export async function recordedCalls(app: TemporaryAgent): Promise<JsonObject[]> {
  const entries = (await app.tape()).filter(({ payload }) => payload.name === "code.call");
  return entries.flatMap(({ payload: { data } }) => isJsonObject(data) ? [data] : []);
}
