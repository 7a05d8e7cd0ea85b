/**
 * Writes `tools/schemas.json`: the JSON Schemas of the built-in tools' arguments, so that no run
 * of the program has to load zod before a tool is called. A test checks that they are up to date.
 */
import { argumentsSchema } from "../lib/tool/schema.ts";
import { builtinTools } from "../tools/mod.ts";

const schemas: Record<string, unknown> = {};
for (const tool of builtinTools) schemas[tool.name] = await argumentsSchema(tool);
await Deno.writeTextFile(
  new URL("../tools/schemas.json", import.meta.url),
  `${JSON.stringify(schemas, null, 2)}\n`,
);
