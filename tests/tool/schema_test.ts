import { argumentsSchema, ToolSchemas } from "../../lib/tool/schema.ts";
import { expectation, parametersOf, signature } from "../../lib/tool/parameter.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { assert, assertEquals } from "../assert.ts";
import { mixed, read } from "./sample_tools.ts";

Deno.test("T3 argumentsSchema() is draft 7 without bounds, nulls and marks that only cost tokens", async () => {
  assertEquals(await argumentsSchema(read), {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file" },
      offset: { default: 0, description: "Lines to skip", type: "integer", minimum: 0 },
      limit: { default: null, description: "Most lines to return", type: "integer", minimum: 0 },
    },
    required: ["path"],
  });
  const { properties } = await argumentsSchema(mixed) as { properties: Record<string, unknown> };
  assertEquals(properties.text, { default: null, description: "Text", type: "string" });
  assertEquals(properties.headers, {
    default: null,
    description: "An object",
    type: "object",
    additionalProperties: { type: "string" },
  });
});

Deno.test("T3 parameters named like keywords of JSON Schema keep what they are", async () => {
  const tool = defineTool({
    name: "odd",
    description: "Has odd names.",
    parameters: (z) =>
      z.object({
        default: z.string().describe("d"),
        maximum: z.number().int().describe("m"),
        items: z.array(z.object({ properties: z.number().int() })).describe("i"),
      }),
    run: () => "",
  });
  assertEquals(await argumentsSchema(tool), {
    type: "object",
    properties: {
      default: { type: "string", description: "d" },
      maximum: { type: "integer", description: "m" },
      items: {
        type: "array",
        items: {
          type: "object",
          properties: { properties: { type: "integer" } },
          required: ["properties"],
        },
        description: "i",
      },
    },
    required: ["default", "maximum", "items"],
  });
});

Deno.test("T2 T3 schemas generated ahead count for their own tool, not for its override", async () => {
  const override = defineTool({
    name: "fs.read",
    description: "Another reader.",
    parameters: (z) => z.object({ url: z.string().describe("Where") }),
    run: () => "",
  });
  const ahead = { type: "object", properties: { ahead: { type: "string" } } };
  const schemas = new ToolSchemas([read], { "fs.read": ahead });
  assert(await schemas.of(read) === ahead);
  const registry = new ToolRegistry([read, override], schemas);
  const tool = registry.find("fs.read");
  assert(tool !== undefined);
  assertEquals(parametersOf(await registry.schema(tool)).map(({ name }) => name), ["url"]);
});

Deno.test("SC1 signature() shows the parameters in order with their defaults", async () => {
  assertEquals(
    signature("fs.read", await argumentsSchema(read)),
    "fs.read path [offset=0] [limit=null]",
  );
  assertEquals(
    signature("mixed", await argumentsSchema(mixed)),
    'mixed [text=null] [count=null] [flag=false] [kinds=["message"]] [headers=null] [prompt] ' +
      "[mode] [level]",
  );
});

Deno.test("T3 expectation() says in words what a value has to be", async () => {
  const words = parametersOf(await argumentsSchema(mixed)).map(({ name, schema }) =>
    `${name}: ${expectation(schema)}`
  );
  assertEquals(words, [
    "text: text or null",
    "count: a number or null",
    "flag: true or false",
    "kinds: a list of text",
    "headers: an object with values that are text or null",
    "prompt: text or a list of text",
    'mode: "fast" or "slow"',
    "level: 1 or 2",
  ]);
  assertEquals(expectation({}), "a value");
  assertEquals(
    expectation({ type: "number", exclusiveMinimum: 0, maximum: 9 }),
    "a number of more than 0 and at most 9",
  );
});
