import { BubError, toBubError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { ToolCall } from "../tape/entry.ts";
import { checkArguments, parseArguments } from "./arguments.ts";
import { codeArguments } from "./code_arguments.ts";
import {
  askAfter,
  askBefore,
  type HookWarning,
  type InterceptedCall,
  type ToolHooks,
} from "./hooks.ts";
import { type ToolSet, unknownTool } from "./registry.ts";
import type { ToolOutput } from "./output.ts";
import { refusal } from "./refusal.ts";
import { type RenderedOutput, renderError, renderOutput, type ToolResult } from "./result.ts";
import { admits, modelAlias, type Tool, type ToolContext } from "./tool.ts";

/** How long, in ms, an aborted call may take to end by itself and hand over what it has. */
const ABORT_GRACE_MS = 2_000;

/** Puts a result that is too long for the tape away; the answer is what stands in its place. */
export type ResultSpill = (result: ToolResult, tool: Tool) => Promise<ToolResult>;

export interface ExecuteOptions {
  /** The tools this caller may call; all others are unknown to it. */
  readonly tools: ToolSet;
  readonly context: ToolContext;
  /** In the order they were registered. */
  readonly hooks?: readonly ToolHooks[];
  /** Told of hooks that failed. */
  readonly warn?: HookWarning;
  /** Sees each result last, as hooks left it; without it every result stays as long as it is. */
  readonly spill?: ResultSpill | undefined;
}

/**
 * Runs one tool call: look-up, arguments, hooks before, check, run, hooks after, spill. The one
 * place where that happens, for models, text commands and code alike. Never rejects: whatever a model,
 * a tool or a hook did is in the result. Once the signal is aborted, a call that does not end
 * within a short grace gets an error result, and what it still does goes unheard.
 */
export async function executeCall(call: ToolCall, options: ExecuteOptions): Promise<ToolResult> {
  const execution = new Execution(call, options);
  const { signal } = options.context;
  if (signal.aborted) return execution.failed(abortError(signal));
  using grace = abortGrace(signal);
  try {
    return await Promise.race([execution.run(), grace.over]);
  } catch (thrown) {
    return execution.failed(thrown);
  }
}

/** One call on its way to its result. */
class Execution {
  readonly #started = performance.now();
  readonly #call: ToolCall;
  readonly #options: ExecuteOptions;
  readonly #tool: Tool | undefined;

  constructor(call: ToolCall, options: ExecuteOptions) {
    this.#call = call;
    this.#options = options;
    const tool = options.tools.find(call.function.name);
    this.#tool = tool !== undefined && admits(tool, options.context.caller) ? tool : undefined;
  }

  async run(): Promise<ToolResult> {
    const { tools, hooks = [], context, warn = () => {}, spill } = this.#options;
    const tool = this.#tool;
    if (tool === undefined) throw this.#unknown();
    const refused = refusal(tool, context.caller, tools);
    if (refused !== undefined) throw refused;
    const args = await this.#arguments(tool);
    const call: InterceptedCall = { tool, args, context };
    const decided = await this.#decided(call, hooks, warn);
    const render = (output: ToolOutput) => this.#result(renderOutput(output));
    const result = await askAfter(hooks, call, decided, render, warn);
    return await spill?.(result, tool) ?? result;
  }

  failed(thrown: unknown): ToolResult {
    const { signal } = this.#options.context;
    const stopped = signal.aborted && thrown === signal.reason;
    return this.#result(renderError(stopped ? abortError(signal) : toBubError(thrown, "tool")));
  }

  /** The result of a call as the hooks before it decide, failures included. */
  async #decided(
    call: InterceptedCall,
    hooks: readonly ToolHooks[],
    warn: HookWarning,
  ): Promise<ToolResult> {
    try {
      const decision = await askBefore(hooks, call, warn);
      switch (decision.action) {
        case "deny":
          throw new BubError("permission", decision.message);
        case "replace":
          return this.#result(renderOutput(decision.result));
        case "proceed":
          return this.#result(renderOutput(await this.#output(call, decision.args)));
      }
    } catch (thrown) {
      return this.failed(thrown);
    }
  }

  async #arguments(tool: Tool): Promise<JsonObject> {
    const { tools, context: { caller } } = this.#options;
    const { arguments: text } = this.#call.function;
    if (caller !== "code") return parseArguments(tool.name, text);
    return await codeArguments(tool.name, text, () => tools.schema(tool));
  }

  async #output({ tool, context }: InterceptedCall, args: JsonObject): Promise<unknown> {
    const checked = await checkArguments(tool, args, () => this.#options.tools.schema(tool));
    context.signal.throwIfAborted();
    return await tool.run(checked, context);
  }

  #unknown(): BubError {
    const { tools, context: { caller } } = this.#options;
    const show = caller === "command" ? undefined : modelAlias;
    const message = unknownTool(this.#call.function.name, tools.knownTo(caller), show);
    return new BubError("unknown_tool", message);
  }

  #result(rendered: RenderedOutput): ToolResult {
    return {
      callId: this.#call.id,
      name: this.#tool?.name ?? this.#call.function.name,
      ...rendered,
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}

/** A promise that rejects a grace after the abort, for calls that do not heed their signal. */
function abortGrace(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    timer = setTimeout(() => reject(abortError(signal)), ABORT_GRACE_MS);
  };
  signal.addEventListener("abort", start, { once: true });
  return {
    over: promise,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", start);
    },
  };
}

function abortError(signal: AbortSignal): BubError {
  const { kind, message } = toBubError(signal.reason, "interrupted");
  return new BubError(kind, `the call was stopped: ${message}`, { cause: signal.reason });
}

export type { ToolHooks, ToolResult };
