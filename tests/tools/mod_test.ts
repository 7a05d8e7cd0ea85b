import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { parametersOf } from "../../lib/tool/parameter.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { argumentsSchema, ToolSchemas } from "../../lib/tool/schema.ts";
import { builtinSchemas, builtinTools } from "../../tools/mod.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("T3 schemas.json is what scripts/schemas.ts would write", async () => {
  const current: Record<string, JsonObject> = {};
  for (const tool of builtinTools) current[tool.name] = await argumentsSchema(tool);
  assertEquals(builtinSchemas, JSON.parse(JSON.stringify(current)));
});

Deno.test("T3 every parameter of every built-in tool is described", () => {
  for (const tool of builtinTools) {
    assert(tool.description.length > 0, tool.name);
    for (const { name, schema } of parametersOf(builtinSchemas[tool.name] ?? {})) {
      assert(typeof schema.description === "string", `${tool.name} ${name}`);
    }
  }
});

Deno.test("T1 T2 the built-in tools form a registry that knows their schemas without zod", async () => {
  const registry = new ToolRegistry(builtinTools, new ToolSchemas(builtinTools, builtinSchemas));
  assertEquals(registry.tools, builtinTools);
  for (const tool of builtinTools) {
    const schema = await registry.schema(tool);
    assert(isJsonObject(schema) && schema === builtinSchemas[tool.name], tool.name);
  }
});
