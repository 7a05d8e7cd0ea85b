import { toBubError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { ToolOutput } from "./output.ts";
import type { ToolResult } from "./result.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { unexpected } from "./unexpected.ts";

/** A tool call as hooks see it: of the model, of a text command, or from inside `run_code`. */
export interface InterceptedCall {
  readonly tool: Tool;
  /** As the caller wrote them: a JSON object, not yet checked, defaults not filled in. */
  readonly args: JsonObject;
  readonly context: ToolContext;
}

/** What a hook decides before a call; nothing returned means `proceed`. */
export type BeforeToolCall =
  /** Go on, with other arguments if `args` is given. The tool's schema still checks them. */
  | { readonly action: "proceed"; readonly args?: JsonObject }
  /** Do not run the tool: this is its result. */
  | { readonly action: "replace"; readonly result: ToolOutput }
  /**
   * Do not run the tool: the call fails with a `permission` error and this message. What is no text
   * denies too, in other words.
   */
  | { readonly action: "deny"; readonly message: string };

/** What a hook decides after a call; nothing returned means `proceed`. */
export type AfterToolCall =
  | { readonly action: "proceed" }
  /** The call succeeded with this instead, whatever it came to. */
  | { readonly action: "replace"; readonly result: ToolOutput };

/**
 * Interception of tool calls. Hooks run one after another, the last registered first. Calls of
 * unknown tools and arguments that are no JSON object fail before any hook.
 */
export interface ToolHooks {
  /** Whose hooks these are, for the log. */
  readonly name?: string;
  /**
   * Before the arguments are checked and the tool runs. The next hook sees the arguments as this
   * one left them; `replace` and `deny` end the row. A throw, or what is no decision,
   * is logged and counts as `proceed`.
   */
  beforeToolCall?(
    call: InterceptedCall,
  ): Promise<BeforeToolCall | undefined | void> | BeforeToolCall | undefined | void;
  /**
   * After every call that reached the hooks: run, replaced, denied or failed. The next hook sees
   * the result as this one left it. A throw, or what is no decision,
   * is logged and counts as `proceed`.
   */
  afterToolCall?(
    call: InterceptedCall,
    result: ToolResult,
  ): Promise<AfterToolCall | undefined | void> | AfterToolCall | undefined | void;
}

/** What a hook around tool calls returns. */
const DECISION = "a decision with a known action";

/** Told of a hook that failed and was skipped. */
export type HookWarning = (message: string) => void;

/** Asks the hooks; the answer of `proceed` always carries the arguments. */
export async function askBefore(
  hooks: readonly ToolHooks[],
  call: InterceptedCall,
  warn: HookWarning,
): Promise<
  Exclude<BeforeToolCall, { action: "proceed" }> | { action: "proceed"; args: JsonObject }
> {
  let args = call.args;
  for (const hook of hooks.toReversed()) {
    try {
      const decision = await hook.beforeToolCall?.({ ...call, args });
      if (decision === undefined || decision === null) continue;
      switch (decision.action) {
        case "proceed":
          args = changedArgs(decision.args, args);
          break;
        case "replace":
          return { action: "replace", result: givenResult(decision.result) };
        case "deny":
          return { action: "deny", message: denialMessage(decision) };
        default:
          throw unexpected(DECISION, decision);
      }
    } catch (thrown) {
      warn(skipped(hook, "beforeToolCall", call.tool, thrown));
    }
  }
  return { action: "proceed", args };
}

/** Lets the hooks see, and replace, a result; `render` makes one of what a hook puts in place. */
export async function askAfter(
  hooks: readonly ToolHooks[],
  call: InterceptedCall,
  result: ToolResult,
  render: (output: ToolOutput) => ToolResult,
  warn: HookWarning,
): Promise<ToolResult> {
  let current = result;
  for (const hook of hooks.toReversed()) {
    try {
      const decision = await hook.afterToolCall?.(call, current);
      if (decision === undefined || decision === null) continue;
      switch (decision.action) {
        case "proceed":
          break;
        case "replace":
          current = render(givenResult(decision.result));
          break;
        default:
          throw unexpected(DECISION, decision);
      }
    } catch (thrown) {
      warn(skipped(hook, "afterToolCall", call.tool, thrown));
    }
  }
  return current;
}

/** What a denial says: a mistake in its message must not let the call through. */
export function denialMessage({ message }: { readonly message: unknown }): string {
  return typeof message === "string" && message !== ""
    ? message
    : "a hook denied it, without a text that says why";
}

function changedArgs(changed: unknown, args: JsonObject): JsonObject {
  if (changed === undefined) return args;
  if (isJsonObject(changed)) return changed;
  throw unexpected('an object as "args"', changed);
}

function givenResult(result: ToolOutput | undefined): ToolOutput {
  if (result !== undefined) return result;
  throw unexpected('a text or a JSON value as "result"', result);
}

function skipped(hook: ToolHooks, member: string, tool: Tool, thrown: unknown): string {
  const whose = hook.name === undefined ? "" : ` of ${hook.name}`;
  return `the hook ${member}${whose} failed for ${tool.name} and was skipped: ` +
    toBubError(thrown).message;
}
