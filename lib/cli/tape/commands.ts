import { type Command, defineCommand } from "../command.ts";
import {
  EXPORT_FLAGS,
  INFO_FLAGS,
  LIST_FLAGS,
  PRUNE_FLAGS,
  REMOVE_FLAGS,
  SEARCH_FLAGS,
  SHOW_FLAGS,
} from "./flags.ts";

// Names in variables: only the module of the command that is called is loaded (see main.ts).
const MODULES = {
  list: "./list.ts",
  info: "./info.ts",
  show: "./show.ts",
  search: "./search.ts",
  export: "./export.ts",
  remove: "./remove.ts",
  prune: "./prune.ts",
} as const;

/** The commands behind `bub tape`. */
export const TAPE_COMMANDS: readonly Command[] = [
  defineCommand({
    name: "tape list",
    summary: "List the tapes, the last written first",
    words: "",
    maxWords: 0,
    notes: [
      "An asterisk marks the tapes of this workspace; SESSION names the session where it is the one of",
      "--session-id. Files hold only hashes of both, so of others neither is known.",
    ],
    flags: LIST_FLAGS,
    async run(args, context) {
      const { listTapes }: typeof import("./list.ts") = await import(MODULES.list);
      return await listTapes(args, context);
    },
  }),
  defineCommand({
    name: "tape info",
    summary: "Count entries and anchors, and show the last token usage",
    words: "[TAPE]",
    maxWords: 1,
    flags: INFO_FLAGS,
    async run(args, context) {
      const { showInfo }: typeof import("./info.ts") = await import(MODULES.info);
      return await showInfo(args, context);
    },
  }),
  defineCommand({
    name: "tape show",
    summary: "Print the entries, or the context of the next model input",
    words: "[TAPE]",
    maxWords: 1,
    notes: ["On a terminal control characters of the entries are shown, not obeyed."],
    flags: SHOW_FLAGS,
    async run(args, context) {
      const { showTape }: typeof import("./show.ts") = await import(MODULES.show);
      return await showTape(args, context);
    },
  }),
  defineCommand({
    name: "tape search",
    summary: "Find entries by text, the newest first",
    words: "QUERY [TAPE]",
    maxWords: 2,
    flags: SEARCH_FLAGS,
    async run(args, context) {
      const { searchTapes }: typeof import("./search.ts") = await import(MODULES.search);
      return await searchTapes(args, context);
    },
  }),
  defineCommand({
    name: "tape export",
    summary: "Copy a tape out, for programs or for people",
    words: "[TAPE]",
    maxWords: 1,
    flags: EXPORT_FLAGS,
    async run(args, context) {
      const { exportTape }: typeof import("./export.ts") = await import(MODULES.export);
      return await exportTape(args, context);
    },
  }),
  defineCommand({
    name: "tape rm",
    summary: "Remove tapes with their sidecars and media",
    words: "TAPE…",
    notes: [
      "Asks first; without a terminal --yes is needed. A tape whose session is running is not removed.",
      "Media that no tape and no archive refers to any more go too.",
    ],
    flags: REMOVE_FLAGS,
    async run(args, context) {
      const { removeTapes }: typeof import("./remove.ts") = await import(MODULES.remove);
      return await removeTapes(args, context);
    },
  }),
  defineCommand({
    name: "tape prune",
    summary: "Remove the tapes that have not been written for some time",
    words: "--older-than AGE",
    maxWords: 0,
    notes: [
      "Asks first; without a terminal --yes is needed. Tapes whose sessions are running stay.",
      "Media that no tape and no archive refers to any more go too.",
    ],
    flags: PRUNE_FLAGS,
    async run(args, context) {
      const { pruneTapes }: typeof import("./prune.ts") = await import(MODULES.prune);
      return await pruneTapes(args, context);
    },
  }),
];
