import type { ScopeAccess } from "../environment/scope.ts";
import type { FlagTable } from "./args.ts";

/** Flags of every command. */
export const COMMON_FLAGS = {
  workspace: {
    kind: "text",
    short: "w",
    value: "DIR",
    help: "folder to work in (default: this one)",
  },
  "env-file": { kind: "text", value: "FILE", help: "read variables from FILE" },
  plugin: { kind: "texts", value: "FILE", help: "load this plugin too; may be repeated" },
  help: { kind: "switch", short: "h", help: "show this help" },
} as const satisfies FlagTable;

/** Flags of the commands that talk to a model. */
export const SESSION_FLAGS = {
  "session-id": { kind: "text", value: "ID", help: "the conversation to go on with" },
  model: { kind: "text", short: "m", value: "PROVIDER:MODEL", help: "the model to ask" },
  "reasoning-effort": { kind: "text", value: "EFFORT", help: "such as low, medium or high" },
  "max-steps": { kind: "whole", value: "N", help: "steps a turn may take" },
  tools: { kind: "list", value: "NAMES", help: "only these tools, commas between; empty: none" },
  skills: { kind: "list", value: "NAMES", help: "only these skills; empty: none" },
  "code-mode": { kind: "switch", help: "let the model write code that calls the tools" },
  record: { kind: "text", value: "FILE", help: "record the model's answers for replay:FILE" },
  quiet: { kind: "switch", short: "q", help: "errors and warnings only on standard error" },
  verbose: { kind: "count", short: "v", help: "more on standard error; twice: everything" },
} as const satisfies FlagTable;

/** Bounds of what tools may touch (E3), in the words of `deno run`. */
export const SCOPE_FLAGS = {
  "allow-read": bound("allow", "read", "PATHS", "files and folders that tools may read"),
  "allow-write": bound("allow", "write", "PATHS", "files and folders they may write"),
  "allow-net": bound("allow", "net", "HOSTS", "hosts they may reach: host or host:port"),
  "allow-run": bound("allow", "run", "PROGRAMS", "programs they may start, the shell among them"),
  "allow-env": bound("allow", "env", "NAMES", "variables they may see"),
  "deny-read": bound("deny", "read", "PATHS", "not these, whatever is allowed"),
  "deny-write": bound("deny", "write", "PATHS", "not these"),
  "deny-net": bound("deny", "net", "HOSTS", "not these"),
  "deny-run": bound("deny", "run", "PROGRAMS", "not these"),
  "deny-env": bound("deny", "env", "NAMES", "not these"),
} as const satisfies FlagTable;

function bound<const R extends "allow" | "deny", const A extends ScopeAccess>(
  rule: R,
  access: A,
  items: string,
  help: string,
) {
  return { kind: "access", rule, access, items, help } as const;
}

export const OUTPUTS = ["text", "json", "stream-json"] as const;

export const RUN_FLAGS = {
  ...SESSION_FLAGS,
  output: {
    kind: "choice",
    short: "o",
    value: "FORMAT",
    choices: OUTPUTS,
    help: "text (the answer), json (one object) or stream-json (every event)",
  },
  image: { kind: "texts", value: "FILE", help: "show the model this image; may be repeated" },
  timeout: { kind: "positive", value: "SECONDS", help: "time limit of the whole run" },
  ...COMMON_FLAGS,
  ...SCOPE_FLAGS,
} as const satisfies FlagTable;

export const CHAT_FLAGS = {
  ...SESSION_FLAGS,
  ...COMMON_FLAGS,
  ...SCOPE_FLAGS,
} as const satisfies FlagTable;

/** Flags of the commands that list something. */
export const LIST_FLAGS = {
  json: { kind: "switch", help: "as JSON" },
  ...COMMON_FLAGS,
} as const satisfies FlagTable;

export const DOCTOR_FLAGS = {
  json: { kind: "switch", help: "as JSON" },
  offline: { kind: "switch", help: "leave the network alone" },
  model: SESSION_FLAGS.model,
  ...COMMON_FLAGS,
  ...SCOPE_FLAGS,
} as const satisfies FlagTable;

export const DEMO_FLAGS = {
  verbose: SESSION_FLAGS.verbose,
  ...COMMON_FLAGS,
} as const satisfies FlagTable;
