import type { CodeSandbox, SandboxCall } from "../code/sandbox.ts";
import type { Media } from "./output.ts";
import type { ToolResult } from "./result.ts";
import type { Tool } from "./tool.ts";

/** What a call from code has beside what it says itself. */
export interface CodeCallOptions {
  /** Takes what the call attaches to the result of `run_code`; throws when that is too much. */
  readonly attach: (media: Media) => void;
  /** Aborted when the run ends before the call. */
  readonly signal: AbortSignal;
}

/** What `run_code` has of the turn it runs in. */
export interface CodePort {
  readonly sandbox: CodeSandbox;
  /** The tools that the code may call now. */
  readonly tools: readonly Tool[];
  /**
   * Runs one tool as the code asked: look-up, scope, hooks and checks as for any other caller
   * (T8). Never rejects. The call is on the tape, outside of the context, when this resolves (C4).
   */
  call(call: SandboxCall, options: CodeCallOptions): Promise<ToolResult>;
}
