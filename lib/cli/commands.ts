import { type Command, type CommandGroup, defineCommand } from "./command.ts";
import {
  CHAT_FLAGS,
  COMMON_FLAGS,
  DEMO_FLAGS,
  DOCTOR_FLAGS,
  LIST_FLAGS,
  RUN_FLAGS,
} from "./flags.ts";

// Every command is a module of its own, loaded when it is called. Its name is in a variable, so that
// Deno does not load all of them for each (see main.ts).
const MODULES = {
  run: "./run.ts",
  chat: "./chat.ts",
  tape: "./tape/commands.ts",
  tools: "./tools.ts",
  skills: "./skills.ts",
  plugins: "./plugins.ts",
  config: "./config.ts",
  doctor: "./doctor.ts",
  demo: "./demo.ts",
  help: "./help.ts",
} as const;

/** The commands, in the order the help lists them. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  defineCommand({
    name: "run",
    summary: "Answer one message, then end",
    words: "[MESSAGE…]",
    notes: [
      "The message comes from the words, from standard input, or from both: input that begins or",
      "ends within 200 ms is read and appended after a blank line; the word - always reads it.",
      "A message that starts with a comma is a text command: bub run ,help",
      "",
      "Exit codes: 0 done, 1 the turn failed, 2 wrong usage or configuration, 124 time limit,",
      "128 + N ended by signal N (130: Ctrl-C, 141: the reader of the output went away).",
    ],
    flags: RUN_FLAGS,
    async run(args, context) {
      const { run }: typeof import("./run.ts") = await import(MODULES.run);
      return await run(args, context);
    },
  }),
  defineCommand({
    name: "chat",
    summary: "Talk, line by line",
    words: "",
    maxWords: 0,
    notes: [
      "What you type while an answer is under way reaches the model before its next step.",
      "Ctrl-C interrupts the turn, a second one leaves; so do Ctrl-D and ,quit.",
    ],
    flags: CHAT_FLAGS,
    async run(args, context) {
      const { chat }: typeof import("./chat.ts") = await import(MODULES.chat);
      return await chat(args, context);
    },
  }),
  {
    name: "tape",
    summary: "Look at what sessions have recorded, and clean up",
    notes: [
      "TAPE is the name of a tape or its beginning, as bub tape list shows it. Without one the tape of",
      "--session-id (default cli:local) in the workspace is meant.",
    ],
    async subcommands() {
      const { TAPE_COMMANDS }: typeof import("./tape/commands.ts") = await import(MODULES.tape);
      return TAPE_COMMANDS;
    },
  },
  defineCommand({
    name: "tools",
    summary: "List the tools, or show one with its arguments",
    words: "[NAME]",
    maxWords: 1,
    flags: LIST_FLAGS,
    async run(args, context) {
      const { listTools }: typeof import("./tools.ts") = await import(MODULES.tools);
      return await listTools(args, context);
    },
  }),
  defineCommand({
    name: "skills",
    summary: "List the skills, where they are, and what is wrong with them",
    words: "",
    maxWords: 0,
    flags: LIST_FLAGS,
    async run(args, context) {
      const { listSkills }: typeof import("./skills.ts") = await import(MODULES.skills);
      return await listSkills(args, context);
    },
  }),
  defineCommand({
    name: "plugins",
    summary: "List the plugins: what each brings, and what is wrong with broken ones",
    words: "",
    maxWords: 0,
    notes: [
      'A plugin is a module on disk, named by --plugin FILE or by a path under "plugins" in the',
      "configuration. It has all the rights of this program. See docs/plugins.md.",
    ],
    flags: LIST_FLAGS,
    async run(args, context) {
      const { listPlugins }: typeof import("./plugins.ts") = await import(MODULES.plugins);
      return await listPlugins(args, context);
    },
  }),
  defineCommand({
    name: "config",
    summary: "Show the settings in force and where each comes from",
    words: "",
    maxWords: 0,
    flags: LIST_FLAGS,
    async run(args, context) {
      const { showConfig }: typeof import("./config.ts") = await import(MODULES.config);
      return await showConfig(args, context);
    },
  }),
  defineCommand({
    name: "doctor",
    summary: "Tell whether a run would work here, and what is missing",
    words: "",
    maxWords: 0,
    notes: [
      "Asks the model's server for its list of models, which costs nothing; no key is shown. The exit",
      "code is 0 if everything that a run needs is there, and 1 otherwise.",
    ],
    flags: DOCTOR_FLAGS,
    async run(args, context) {
      const { doctor }: typeof import("./doctor.ts") = await import(MODULES.doctor);
      return await doctor(args, context);
    },
  }),
  defineCommand({
    name: "demo",
    summary: "Watch a small job, offline: recorded model, real tools",
    words: "",
    maxWords: 0,
    flags: DEMO_FLAGS,
    async run(args, context) {
      const { demo }: typeof import("./demo.ts") = await import(MODULES.demo);
      return await demo(args, context);
    },
  }),
  defineCommand({
    name: "help",
    summary: "Show this help, or that of a command",
    words: "[COMMAND]",
    maxWords: 2,
    flags: COMMON_FLAGS,
    async run(args, context) {
      const { help }: typeof import("./help.ts") = await import(MODULES.help);
      return await help(args, context);
    },
  }),
];
