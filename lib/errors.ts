import type { JsonObject } from "./json.ts";
import { isDeniedToProcess } from "./process_denial.ts";

/**
 * Every kind of failure that a user, a script or the model can meet. Code decides by the kind and
 * never by the text of a message.
 */
export const ERROR_KINDS = [
  /** Wrong usage or configuration: exit code 2. */
  "config",
  /** Arguments that a tool cannot take. */
  "invalid_input",
  "unknown_tool",
  /** The operation lacks a Deno permission or lies outside the scope. */
  "permission",
  "not_found",
  /** A tool ran and failed. */
  "tool",
  "timeout",
  "interrupted",
  /** The turn used all the steps it was given. */
  "max_steps",
  /** The provider refused the key. */
  "auth",
  "rate_limit",
  "context_overflow",
  /** The provider answered with a server error. */
  "server",
  /** The provider could not be reached, or the connection broke. */
  "connection",
  /** Any other refusal or malformed answer of a provider. */
  "model",
  /** The tape could not be written. */
  "storage",
  /** A fault of ours. */
  "internal",
] as const;

export type ErrorKind = typeof ERROR_KINDS[number];

/** What the tape, the model and JSON output show of an error. */
export interface ErrorReport extends JsonObject {
  readonly kind: string;
  readonly message: string;
  readonly details?: JsonObject;
}

export interface BubErrorOptions {
  /** Facts for the reader beside the message: output of a failed command, fields of a response. */
  readonly details?: JsonObject | undefined;
  /** The private cause: for `-v` and debugging, never shown to the model. */
  readonly cause?: unknown;
}

/** The one error class of the program: a kind to decide by, a sentence to read, a private cause. */
export class BubError extends Error {
  override readonly name = "BubError";
  readonly kind: ErrorKind;
  readonly details: JsonObject | undefined;

  constructor(kind: ErrorKind, message: string, options: BubErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.details = options.details;
  }

  report(): ErrorReport {
    const { kind, message, details } = this;
    return details === undefined ? { kind, message } : { kind, message, details };
  }
}

/**
 * What a failed call had printed, or the page that came with its refusal, for people to read above
 * the message; empty if there is none.
 */
export function failedOutput({ details }: ErrorReport | BubError): string {
  const output = details?.output ?? details?.body;
  return typeof output === "string" ? output : "";
}

/** Any thrown value as a `BubError`; those that are one already stay the same object. */
export function toBubError(thrown: unknown, fallback: ErrorKind = "internal"): BubError {
  if (thrown instanceof BubError) return thrown;
  if (thrown instanceof Deno.errors.NotCapable) {
    return new BubError("permission", permissionMessage(thrown.message), { cause: thrown });
  }
  if (thrown instanceof DOMException && thrown.name === "AbortError") {
    return new BubError("interrupted", "interrupted", { cause: thrown });
  }
  if (thrown instanceof DOMException && thrown.name === "TimeoutError") {
    return new BubError("timeout", "time limit reached", { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : textOf(thrown);
  return new BubError(fallback, message, { cause: thrown });
}

/** Any value has one, even an object without a prototype. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/**
 * Deno's own sentence, which names the access, with what is said of a missing one at the end. The
 * flag's name is taken from there too: some files need `--allow-all`.
 */
function permissionMessage(message: string): string {
  const parts = /^Requires (\w+) access(?: to (.+))?, .*--allow-([\w-]+)/s.exec(message);
  if (parts === null) return message;
  const [, name = "", target, flag = ""] = parts;
  if (flag === "all") return `${name} access to ${target} is not allowed; --allow-all grants it`;
  return missingAccess(flag, target?.replaceAll(/^"|"$/g, ""));
}

/**
 * What to say where an access to `target` (undefined: to everything) is missing: both, and the flag
 * that grants it, or the one of the process that denies it whatever else is granted.
 */
export function missingAccess(access: string, target?: string): string {
  const what = target === undefined ? `${access} access` : `${access} access to "${target}"`;
  if (isDeniedToProcess(access, target)) {
    return `${what} is denied by --deny-${access} of the process`;
  }
  const flag = `allow-${access}`;
  const granting = target === undefined ? `--${flag}` : permissionFlag(flag, target);
  return `${what} is not allowed; ${granting} grants it`;
}

/** A flag with one value, such as `--deny-read=/x`, as it is typed in a shell. */
export function permissionFlag(name: string, value: string): string {
  // In the value of a flag a comma divides names, and is doubled inside one.
  const doubled = value.replaceAll(",", ",,");
  const quote = /\s/.test(doubled) ? '"' : "";
  return `--${name}=${quote}${doubled}${quote}`;
}
