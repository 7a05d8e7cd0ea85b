import { isJsonObject } from "../json.ts";
import type { ModelRequest } from "../model/model.ts";
import { unexpected } from "../tool/unexpected.ts";
import {
  type GivenAnswer,
  type ModelAnswer,
  REQUEST_FIELDS,
  type RequestChange,
} from "./model_call.ts";

/** `request` with what a hook changed. Throws `TypeError` for a change that makes no request. */
export function changedRequest(request: ModelRequest, change: RequestChange): ModelRequest {
  if (!isJsonObject(change)) throw unexpected("an object of changed fields", change);
  const other = Object.keys(change).find((key) => !REQUEST_FIELDS.some((field) => field === key));
  if (other !== undefined) {
    throw new TypeError(
      `the field "${other}" of a request cannot be changed, but ${REQUEST_FIELDS.join(", ")} can`,
    );
  }
  const changed = { ...request, ...change };
  if (typeof changed.system !== "string") throw unexpected('a text as "system"', changed.system);
  if (!Array.isArray(changed.messages)) {
    throw unexpected('a list as "messages"', changed.messages);
  }
  if (!Array.isArray(changed.tools)) throw unexpected('a list as "tools"', changed.tools);
  return changed;
}

/** What a hook says in a model's place, checked. Throws `TypeError` for what is no answer. */
export function givenAnswer(answer: GivenAnswer): Pick<ModelAnswer, "text" | "calls" | "finish"> {
  if (!isJsonObject(answer)) throw unexpected("an answer {text, calls?}", answer);
  const { text, calls = [] } = answer;
  if (typeof text !== "string") throw unexpected('a text as "text"', text);
  if (!Array.isArray(calls) || !calls.every(isCall)) {
    throw unexpected(
      'as "calls" a list of {id, type: "function", function: {name, arguments}}',
      calls,
    );
  }
  return { text, calls, finish: calls.length > 0 ? "tool_calls" : "stop" };
}

function isCall(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.id !== "string") return false;
  const { function: called } = value;
  return value.type === "function" && isJsonObject(called) && typeof called.name === "string" &&
    typeof called.arguments === "string";
}
