import { defineProperty, NativeError } from "./primordials.mts";

/** What a call that failed throws in the code. */
export class ToolError extends NativeError {
  override readonly name = "ToolError";
  /** As bub names kinds of errors: `not_found`, `permission`, `timeout`, … */
  kind = "tool";
  /** Facts beside the message, such as the output of a failed command. */
  details: unknown;
}

/**
 * Says what went wrong in an error that was made before anything did: its stack shows where the
 * call was made, which no error made later could.
 */
export function fill(
  error: ToolError,
  kind: string,
  message: string,
  details?: unknown,
): ToolError {
  defineProperty(error, "message", { value: message, configurable: true, writable: true });
  error.kind = kind;
  error.details = details;
  return error;
}
