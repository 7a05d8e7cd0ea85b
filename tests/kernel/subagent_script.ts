import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { Answer, RecordedRequest, ScriptedCall } from "../provider/answer.ts";

type Turn = Answer | ((request: RecordedRequest) => Answer | Promise<Answer>);

/**
 * A script for a parent and its subagents: the answers of each by the first user message of its
 * requests, used up one by one; the last one stands for all that follow.
 */
export function scriptBy(
  answers: Readonly<Record<string, readonly Turn[]>>,
): (request: RecordedRequest) => Answer | Promise<Answer> {
  const used = new Map<string, number>();
  return (request) => {
    const first = userTexts(request)[0] ?? "";
    const turns = answers[first] ?? answers["*"];
    if (turns === undefined) return { status: 400, body: `no answers for ${first}` };
    const n = used.get(first) ?? 0;
    used.set(first, n + 1);
    const turn = turns[Math.min(n, turns.length - 1)] ?? {};
    return typeof turn === "function" ? turn(request) : turn;
  };
}

/** The texts of the user messages of a request. */
export function userTexts({ body }: RecordedRequest): string[] {
  return messages(body).filter(({ role }) => role === "user").map(({ content }) =>
    Array.isArray(content) ? content.map(({ text }) => text).join("\n") : String(content)
  );
}

/** The results of the last calls in a request, parsed where they are JSON. */
export function toolResults({ body }: RecordedRequest): unknown[] {
  return messages(body).filter(({ role }) => role === "tool").map(({ content }) => {
    try {
      return JSON.parse(String(content));
    } catch {
      return content;
    }
  });
}

/** The names of the tools that a request offers. */
export function offered({ body }: RecordedRequest): string[] {
  const { tools } = body;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) =>
    isJsonObject(tool) && isJsonObject(tool.function) ? [String(tool.function.name)] : []
  );
}

export function messages({ messages: list }: JsonObject): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** An answer that starts these subagents. */
export function starts(...requests: readonly JsonObject[]): Answer {
  return { calls: requests.map((request) => call("subagent", request)) };
}

export function call(name: string, args: JsonObject = {}): ScriptedCall {
  return { name, arguments: args };
}
