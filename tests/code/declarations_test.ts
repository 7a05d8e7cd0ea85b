import { z } from "zod";
import { type DeclaredTool, declareTools } from "../../lib/code/declarations.ts";
import { argumentsSchema } from "../../lib/tool/schema.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { builtinSchemas, builtinTools } from "../../tools/mod.ts";

async function declared(shape: z.ZodRawShape, name = "x", description = "Does it.") {
  const parameters = () => z.object(shape);
  const tool = defineTool({ name, description, parameters, run: () => "" });
  return { name, description, parameters: await argumentsSchema(tool) };
}

/** What stands between the parentheses of the declaration of a tool with these parameters. */
async function argument(shape: z.ZodRawShape): Promise<string> {
  const [, found = ""] =
    /\nx\((.*)\): Promise<any>;\n/s.exec(declareTools([await declared(shape)])) ??
      [];
  return found;
}

Deno.test("C1 a declaration has the description, the parameters and what they are for", async () => {
  const tool = await declared(
    {
      path: z.string().describe("Relative to the workspace"),
      offset: z.number().int().min(0).default(0).describe("First line"),
      limit: z.number().nullable().default(null),
    },
    "fs_read",
    "Reads a file.",
  );
  assertEquals(
    declareTools([tool]),
    `declare const tools: {
/** Reads a file. */
fs_read(args: {path: string /* Relative to the workspace */, offset?: number /* First line; ` +
      `default 0 */, limit?: number | null}): Promise<any>;
};`,
  );
});

Deno.test("C1 every type of a schema has its TypeScript", async () => {
  const point = z.object({ at: z.number().describe("Where"), "is-on": z.boolean().optional() });
  for (
    const [schema, expected] of [
      [z.string(), "string"],
      [z.int(), "number"],
      [z.boolean(), "boolean"],
      [z.any(), "any"],
      [z.enum(["fast", "slow"]), '"fast" | "slow"'],
      [z.literal(3), "3"],
      [z.union([z.literal(1), z.literal("a")]), '1 | "a"'],
      [z.string().nullable(), "string | null"],
      [z.union([z.string(), z.any()]), "any"],
      [z.array(z.string()), "string[]"],
      [z.array(z.string().nullable()), "(string | null)[]"],
      [z.array(z.array(z.number())), "number[][]"],
      [z.array(z.any()), "any[]"],
      [z.tuple([z.string(), z.number()]), "[string, number]"],
      [z.record(z.string(), z.number()), "Record<string, number>"],
      [z.array(z.record(z.string(), z.any())), "Record<string, any>[]"],
      [z.looseObject({}), "Record<string, any>"],
      [point, '{at: number /* Where */, "is-on"?: boolean}'],
      [z.array(point), '{at: number /* Where */, "is-on"?: boolean}[]'],
      [z.object({ a: z.string() }).catchall(z.number()), "{a: string, [name: string]: number}"],
    ] as const
  ) {
    assertEquals(await argument({ a: schema }), `args: {a: ${expected}}`);
  }
});

Deno.test("C1 what need not be given is marked, and nothing is taken where there is nothing", async () => {
  assertEquals(await argument({}), "");
  assertEquals(await argument({ a: z.string().optional() }), "args?: {a?: string}");
  assertEquals(
    await argument({ kinds: z.array(z.string()).default(["a"]) }),
    'args?: {kinds?: string[] /* default ["a"] */}',
  );
  assertEquals(
    await argument({ a: z.union([z.string(), z.array(z.number())]).nullable().default(null) }),
    "args?: {a?: string | number[] | null}",
  );
});

Deno.test("C1 text cannot leave its comment, nor a name its place", async () => {
  const tool = await declared(
    { "a b": z.string().describe("ends */ here\nand goes on") },
    "my-tool",
    "Breaks */ out\n\nof it.",
  );
  assertEquals(
    declareTools([tool]),
    `declare const tools: {
/** Breaks *\\/ out of it. */
"my-tool"(args: {"a b": string /* ends *\\/ here and goes on */}): Promise<any>;
};`,
  );
});

Deno.test("C1 what a schema does not say in a form we know is any", () => {
  const parameters = {
    type: "object",
    properties: {
      a: { $ref: "#/$defs/x" },
      b: {},
      c: { type: ["string", "null"] },
      d: { allOf: [{ type: "object" }, { enum: ["a", "b"] }] },
    },
    required: ["a", "b", "c", "d"],
  };
  const tool: DeclaredTool = { name: "x", description: "", parameters };
  assertStringIncludes(
    declareTools([tool]),
    'x(args: {a: any, b: any, c: string | null, d: Record<string, any> & ("a" | "b")})',
  );
});

Deno.test("C1 C5 the argument of attach_* is declared as what must be given", () => {
  for (const kind of ["image", "audio", "video"]) {
    const name = `attach_${kind}`;
    const text = declareTools([{ name, description: "", parameters: builtinSchemas[name] ?? {} }]);
    assertStringIncludes(text, `\n${name}(args: {${kind}: string | Record<string, any> /*`);
  }
});

Deno.test("C1 the declarations of all built-in tools are TypeScript", async () => {
  const { stripTypeScriptTypes } = await import("node:module");
  const tools = builtinTools.map(({ name, description }) => ({
    name: name.replaceAll(".", "_"),
    description,
    parameters: builtinSchemas[name] ?? {},
  }));
  assertEquals(stripTypeScriptTypes(declareTools(tools)).trim(), "");
});
