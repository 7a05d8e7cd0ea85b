import type { BubError } from "../errors.ts";
import type { JsonValue } from "../json.ts";

/** One call of a tool that code asks for, as it wrote it: nothing of it has been checked. */
export interface SandboxCall {
  /** Counts the calls of one run, from 1. */
  readonly number: number;
  readonly name: string;
  /** JSON text of the argument: an object of parameters, else the value of the first one. */
  readonly args: string;
}

/** What runs code needs to know, and what it does for it. */
export interface SandboxRun {
  /** JavaScript or TypeScript with top-level `await`. */
  readonly code: string;
  /** Names that `tools` lists; calls of others are passed on all the same. */
  readonly tools: readonly string[];
  /** Milliseconds the code may take, the end of its calls included. */
  readonly timeoutMs: number;
  /** Ends the run at once. */
  readonly signal: AbortSignal;
  /**
   * Answers a call with what it returns; what it rejects with is thrown in the code as a
   * `ToolError`. At most `MAX_CALLS` at a time. `signal` is aborted when the run ends before it.
   */
  readonly call: (call: SandboxCall, signal: AbortSignal) => Promise<JsonValue>;
}

/** How many calls of one run are under way at most; the rest wait inside of the sandbox. */
export const MAX_CALLS = 32;

/** What a run came to. */
export interface SandboxOutcome {
  /** What the code printed, whether it failed or not; cut at the limit, with a line that says so. */
  readonly printed: string;
  /** One line each, for the reader: calls nobody waited for, rejections nobody handled. */
  readonly notes: readonly string[];
  /** Whether the code returned a value, which is no part of what it came to. */
  readonly returned: boolean;
  /** Why the code did not come to its end; null: it did. */
  readonly error: BubError | null;
}

/** How much a run may use. */
export interface SandboxLimits {
  /** Bytes of memory over what an idle sandbox takes. */
  readonly memoryBytes: number;
  /** Bytes of printed text that are kept. */
  readonly outputBytes: number;
}

/** Runs untrusted code, each time in a fresh isolate that can do nothing but compute and call. */
export interface CodeSandbox {
  /** Has the next isolate started, so that `run` finds one ready. Safe to call at any time. */
  prepare(): void;
  /**
   * Runs code to its end, whatever that is. Rejects with `permission` where the process may not
   * start the program again, `tool` where that fails.
   */
  run(run: SandboxRun): Promise<SandboxOutcome>;
  /** Ends every isolate. */
  close(): Promise<void>;
}
