import type { FlagTable } from "../args.ts";
import { COMMON_FLAGS } from "../flags.ts";

const SESSION = {
  kind: "text",
  value: "ID",
  help: "the tape of this session in the workspace (default: cli:local)",
} as const;

const JSON_SWITCH = { kind: "switch", help: "as JSON" } as const;

const ALL_ARCHIVES = { kind: "switch", help: "archives too" } as const;

const YES = { kind: "switch", short: "y", help: "do not ask" } as const;

/** What selects one tape where no word does. */
export const SELECT_FLAGS = {
  "session-id": SESSION,
  ...COMMON_FLAGS,
} as const satisfies FlagTable;

export const LIST_FLAGS = {
  all: { kind: "switch", help: "sidecars too" },
  json: JSON_SWITCH,
  "session-id": { ...SESSION, help: "the session to name where its tape is (default: cli:local)" },
  ...COMMON_FLAGS,
} as const satisfies FlagTable;

export const INFO_FLAGS = { json: JSON_SWITCH, ...SELECT_FLAGS } as const satisfies FlagTable;

export const SHOW_FLAGS = {
  follow: { kind: "switch", short: "f", help: "go on with what is appended, until Ctrl-C" },
  last: { kind: "whole", short: "n", value: "N", help: "only the last N entries" },
  context: { kind: "switch", help: "the messages that the next model input is built from" },
  anchor: { kind: "text", value: "NAME", help: "where the context starts: last, none or a name" },
  json: { kind: "switch", help: "JSON lines" },
  ...SELECT_FLAGS,
} as const satisfies FlagTable;

export const SEARCH_FLAGS = {
  limit: { kind: "whole", value: "N", help: "matches at most (default: 20)" },
  start: { kind: "text", value: "TIME", help: "not before this ISO date or time (UTC)" },
  end: { kind: "text", value: "TIME", help: "not after it; a date covers its whole day" },
  kinds: {
    kind: "list",
    value: "KINDS",
    help: "kinds of entries (default: message,tool_result)",
  },
  archives: { kind: "switch", help: "its archives too, behind the tape, the newest first" },
  json: JSON_SWITCH,
  ...SELECT_FLAGS,
} as const satisfies FlagTable;

export const EXPORT_FORMATS = ["jsonl", "md"] as const;

export const EXPORT_FLAGS = {
  format: {
    kind: "choice",
    value: "FORMAT",
    choices: EXPORT_FORMATS,
    help: "jsonl (every entry as it is, the default) or md (the conversation)",
  },
  output: { kind: "text", short: "o", value: "FILE", help: "write FILE, whole or not at all" },
  ...SELECT_FLAGS,
} as const satisfies FlagTable;

export const REMOVE_FLAGS = {
  archives: ALL_ARCHIVES,
  yes: YES,
  ...SELECT_FLAGS,
} as const satisfies FlagTable;

export const PRUNE_FLAGS = {
  "older-than": {
    kind: "text",
    value: "AGE",
    help: "not written for that long: 90m, 12h, 30d, 4w",
  },
  archives: ALL_ARCHIVES,
  yes: YES,
  ...COMMON_FLAGS,
} as const satisfies FlagTable;
