import { BubError } from "../errors.ts";
import type { HelperEnd } from "./helper_process.ts";
import { FLOOD_FACTOR, HELPER_EXITS } from "./protocol.ts";
import type { SandboxLimits } from "./sandbox.ts";

/** `256 MiB`, `1 KiB`. */
export function sizeOf(bytes: number): string {
  const [unit, divisor] = bytes < 2 ** 20 ? ["KiB", 2 ** 10] : ["MiB", 2 ** 20];
  return `${Math.round(10 * bytes / divisor) / 10} ${unit}`;
}

export function timeoutError(timeoutMs: number): BubError {
  const message = `the code took more than ${timeoutMs / 1000} seconds, its time limit; ` +
    "give it more time, or less to do";
  return new BubError("timeout", message);
}

export function outputError({ outputBytes }: SandboxLimits): BubError {
  const size = sizeOf(FLOOD_FACTOR * outputBytes);
  const message = `the code printed more than ${size}, which ends a run; print only what is needed`;
  return new BubError("tool", message);
}

/** What it means that the process of a run ended before the code did. */
export function endError(end: HelperEnd, limits: SandboxLimits, timeoutMs: number): BubError {
  switch (end.code) {
    case HELPER_EXITS.timeout:
      return timeoutError(timeoutMs);
    case HELPER_EXITS.output:
      return outputError(limits);
    case HELPER_EXITS.memory: {
      const message = `the code used more than ${sizeOf(limits.memoryBytes)} of memory, the most ` +
        "it may; work on less at a time";
      return new BubError("tool", message);
    }
  }
  if (end.code === HELPER_EXITS.guest) {
    return new BubError("tool", "the code took apart the worker that it ran in, which ended it");
  }
  const how = end.signal ?? `exit code ${end.code}`;
  const message = end.overlong
    ? "the code sent the host more than a call may hold"
    : `the process that ran the code ended early (${how}): the code used more memory than there ` +
      "is or is nested too deeply, or the process was killed from outside";
  return new BubError("tool", message);
}
