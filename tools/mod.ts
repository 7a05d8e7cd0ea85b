/** The built-in tools, in the order models and `,help` list them. */
import type { JsonObject } from "../lib/json.ts";
import type { Tool } from "../lib/tool/tool.ts";
import { bashTools } from "./bash.ts";
import { fsEdit, fsRead, fsWrite } from "./fs.ts";
import { help } from "./help.ts";
import schemas from "./schemas.json" with { type: "json" };
import { webFetch } from "./web.ts";

export const builtinTools: readonly Tool[] = [
  ...bashTools,
  fsRead,
  fsWrite,
  fsEdit,
  webFetch,
  help,
];

/** JSON Schemas of their arguments by name, generated ahead (`scripts/schemas.ts`). */
export const builtinSchemas: Readonly<Record<string, JsonObject>> = schemas;
