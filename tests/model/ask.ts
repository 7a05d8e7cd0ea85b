import type { ToolCall } from "../../lib/tape/entry.ts";
import type { Model, ModelEvent, ModelRequest, ReasoningPart } from "../../lib/model/model.ts";
import {
  createModel,
  type CreateModelOptions,
  type ModelSettings,
} from "../../lib/model/resolve.ts";

/** Settings of a model whose provider is at `base`. */
export function settingsFor(
  base: string | undefined,
  overrides: Partial<ModelSettings> & { readonly apiKey?: string | undefined } = {},
): ModelSettings {
  const { apiKey, ...rest } = overrides;
  return {
    provider: () => ({ apiKey: "apiKey" in overrides ? apiKey : "test-key", apiBase: base }),
    keyOwner: undefined,
    openaiApi: undefined,
    modelTimeoutSeconds: null,
    clientArgs: {},
    completionArgs: {},
    env: {},
    ...rest,
  };
}

/** A model at the fake server's base. */
export function modelAt(
  base: string,
  id = "openai-compatible:test",
  overrides: Parameters<typeof settingsFor>[1] = {},
  options: CreateModelOptions = {},
): Model {
  return createModel(id, settingsFor(base, overrides), options);
}

/** A request with one user message, and what a test adds. */
export function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    sessionId: "test",
    system: "You are a test.",
    messages: [{ role: "user", content: "hello" }],
    tools: [],
    maxTokens: 1000,
    ...fields,
  };
}

/** An answer, collected. */
export interface Collected {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly reasoningText: string;
  readonly calls: readonly ToolCall[];
  readonly reasoning: readonly ReasoningPart[];
  readonly finish: Extract<ModelEvent, { type: "finish" }>;
}

/** Asks and collects the events of the whole answer; what `retry` and `fallback` void is left out. */
export async function ask(
  model: Model,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
  const events = await Array.fromAsync(model.stream(request, signal));
  const start = events.findLastIndex(({ type }) => type === "retry" || type === "fallback") + 1;
  const last = events.slice(start);
  const finish = last.find((event) => event.type === "finish");
  if (finish === undefined) throw new Error("the stream ended without a finish event");
  return {
    events,
    text: last.flatMap((event) => event.type === "text" ? [event.text] : []).join(""),
    reasoningText: last.flatMap((event) => event.type === "reasoning" ? [event.text] : []).join(""),
    calls: last.flatMap((event) => event.type === "tool_call" ? [event.call] : []),
    reasoning: finish.reasoning ?? [],
    finish,
  };
}
