/** The built-in tools, in the order models and `,help` list them. */
import type { JsonObject } from "../lib/json.ts";
import type { Tool } from "../lib/tool/tool.ts";
import { attachTools } from "./attach.ts";
import { bashTools } from "./bash.ts";
import { runCode } from "./code.ts";
import { fsEdit, fsRead, fsWrite } from "./fs.ts";
import { help } from "./help.ts";
import schemas from "./schemas.json" with { type: "json" };
import { sessionCommands } from "./session.ts";
import { skill } from "./skill.ts";
import { spillRead } from "./spill.ts";
import { subagentTools } from "./subagent.ts";
import { tapeTools } from "./tape.ts";
import { toolDescribe } from "./tool.ts";
import { webFetch } from "./web.ts";

export const builtinTools: readonly Tool[] = [
  ...bashTools,
  fsRead,
  fsWrite,
  fsEdit,
  webFetch,
  ...tapeTools,
  skill,
  ...subagentTools,
  toolDescribe,
  spillRead,
  runCode,
  ...attachTools,
  help,
  ...sessionCommands,
];

/** JSON Schemas of their arguments by name, generated ahead (`scripts/schemas.ts`). */
export const builtinSchemas: Readonly<Record<string, JsonObject>> = schemas;
