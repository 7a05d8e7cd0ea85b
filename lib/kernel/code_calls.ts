import type { CodeSandbox, SandboxCall } from "../code/sandbox.ts";
import { toBubError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { eventEntry, type ToolCall } from "../tape/entry.ts";
import type { CodeCallOptions, CodePort } from "../tool/code_port.ts";
import { executeCall, type ToolResult } from "../tool/execute.ts";
import { HeadTail } from "../tool/head_tail.ts";
import { renderError } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import { callContext, type CallScope } from "./call_scope.ts";

/** The event that records a call made by code (C4). */
const CODE_CALL = "code.call";

/** Bytes that are kept of a call's arguments, and of its output: head and tail. */
const KEPT_BYTES = 4 * 1024;

/** Bytes that watchers are shown of one text among long arguments. */
const SHOWN_BYTES = 1024;

/** The calls that the code of one `run_code` makes. */
export class CodeCalls implements CodePort {
  readonly #scope: CallScope;
  readonly #runCallId: string;
  readonly #underWay = new Set<Promise<ToolResult>>();

  /** `runCallId`: the id of the call of `run_code`. */
  constructor(scope: CallScope, runCallId: string) {
    this.#scope = scope;
    this.#runCallId = runCallId;
  }

  get sandbox(): CodeSandbox {
    return this.#scope.sandbox;
  }

  get tools(): readonly Tool[] {
    return this.#scope.tools.forCode();
  }

  call(call: SandboxCall, options: CodeCallOptions): Promise<ToolResult> {
    const result = this.#run(call, options);
    this.#underWay.add(result);
    return result.finally(() => this.#underWay.delete(result));
  }

  /** Resolves when every call is over and on the tape, those that the code left behind too. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #run(
    { number, name, args }: SandboxCall,
    { attach, signal }: CodeCallOptions,
  ): Promise<ToolResult> {
    const { tools, hooks, warn, watch } = this.#scope;
    const callId = `${this.#runCallId}/${number}`;
    const call: ToolCall = { id: callId, type: "function", function: { name, arguments: args } };
    const shown = { ...call, function: { name, arguments: shortArguments(args) } };
    watch?.started(shown, tools, this.#runCallId);
    const context = callContext(this.#scope, { callId, caller: "code", attach, signal });
    const result = await executeCall(call, { tools, hooks, warn, context });
    const output = headAndTail(result.text);
    watch?.ended({ ...result, text: output }, this.#runCallId);
    return await this.#record(result, { arguments: headAndTail(args), output });
  }

  /** The result, once it is on the tape; a failure to write it is what it comes to then. */
  async #record(result: ToolResult, texts: JsonObject): Promise<ToolResult> {
    const { callId: call_id, name, status, elapsedMs: elapsed_ms } = result;
    const facts = { run_call_id: this.#runCallId, call_id, name, status, elapsed_ms, ...texts };
    try {
      await this.#scope.tape.append(eventEntry(CODE_CALL, facts));
      return result;
    } catch (thrown) {
      return { ...result, ...renderError(toBubError(thrown, "storage")) };
    }
  }
}

/** Arguments for watchers: of the long texts among them, else of the whole, head and tail. */
function shortArguments(text: string): string {
  if (text.length <= KEPT_BYTES) return text;
  try {
    const cut: JsonValue = JSON.parse(text, (_, value) => {
      return typeof value === "string" ? headAndTail(value, SHOWN_BYTES) : value;
    });
    const short = JSON.stringify(cut);
    return short.length <= KEPT_BYTES ? short : headAndTail(text);
  } catch {
    return headAndTail(text);
  }
}

function headAndTail(text: string, bytes: number = KEPT_BYTES): string {
  const kept = new HeadTail(bytes);
  kept.push(text);
  return kept.toString();
}
