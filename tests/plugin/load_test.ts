import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { loadPlugins } from "../../lib/plugin/load.ts";
import { partsOf, PluginFolder, problemOf } from "./workbench.ts";

const EMPTY = `export default () => ({ name: "empty" });`;

Deno.test("H1 a plugin needs no imports: z and defineTool come with the call", async () => {
  await using folder = await PluginFolder.make();
  const [report] = await folder.load([`
    export default async ({ z, defineTool }) => ({
      name: "dice",
      tools: [defineTool({
        name: "dice.roll",
        description: "Rolls a die.",
        parameters: z.object({ sides: z.int().default(6).describe("Sides") }),
        run: ({ sides }) => sides,
      })],
      hooks: { onError() {} },
      events: { result() {} },
    });
  `]);
  const { name, tools = [], hooks, events } = partsOf(report);
  assertEquals([name, tools.map((tool) => [tool.name, tool.exposure])], [
    "dice",
    [["dice.roll", "default"]],
  ]);
  assertEquals([Object.keys(hooks ?? {}), Object.keys(events ?? {})], [["onError"], ["result"]]);
});

Deno.test("H1 parameters may be a zod object or a function of z; JavaScript will do", async () => {
  await using folder = await PluginFolder.make();
  const tool = (parameters: string) =>
    `defineTool({
    name: "t", description: "d", exposure: "deferred", parameters: ${parameters}, run: () => "" })`;
  for (const parameters of ["z.object({})", "(z) => z.object({})"]) {
    const file = await folder.write(
      `export default ({ z, defineTool }) => ({ name: "p", tools: [${tool(parameters)}] });`,
      "mjs",
    );
    const [report] = await loadPlugins([file], { tools: [] });
    assertEquals(partsOf(report).tools?.map(({ exposure }) => exposure), ["deferred"]);
  }
});

Deno.test("H1 type imports of a plugin are erased, wherever they point", async () => {
  await using folder = await PluginFolder.make();
  const [report] = await folder.load([`
    import type { Plugin } from "../nowhere/lib/plugin/mod.ts";
    const plugin: Plugin = () => ({ name: "typed" });
    export default plugin;
  `]);
  assertEquals(partsOf(report).name, "typed");
});

Deno.test("H1 a broken plugin is skipped with one sentence, the others are loaded", async () => {
  await using folder = await PluginFolder.make();
  const files = [
    await folder.write(EMPTY),
    `${folder.path}/missing.ts`,
    folder.path,
    await folder.write("export default (api => {"),
    await folder.write(`throw new Error("no luck today");`),
    await folder.write(`export const plugin = 1;`),
    await folder.write(`export default () => { throw new Error("not on this machine"); };`),
    await folder.write(`import "./nowhere.ts"; export default () => ({ name: "x" });`),
    await folder.write(`export default () => ({ name: "last" });`),
  ];
  const reports = await loadPlugins(files, { tools: [] });
  assertEquals(reports.map(({ file }) => file), files);
  assertEquals(
    reports.map(({ status }) => status),
    ["loaded", ...Array(7).fill("broken"), "loaded"],
  );
  const problems = reports.map((report) => report.status === "broken" ? report.problem : "");
  assertEquals(problems.slice(1, 3), [
    "there is no such file",
    "a plugin is a module, but this is no file",
  ]);
  assertMatch(problems[3] ?? "", /^it cannot be loaded: .*'<eof>'.* \(file:.*plugin_1\.ts:1:25\)$/);
  assertEquals(problems[4], "it cannot be loaded: no luck today");
  assertEquals(
    problems[5],
    "its default export must be a function of the API object, not undefined",
  );
  assertEquals(problems[6], "its function failed: not on this machine");
  assertStringIncludes(problems[7] ?? "", "nowhere.ts");
  for (const problem of problems) assert(!problem.includes("\n"), problem);
});

Deno.test("H1 a plugin that never settles is given up after a bounded wait", async () => {
  await using folder = await PluginFolder.make();
  const never = [
    "export default () => new Promise(() => {});",
    `await new Promise(() => {}); ${EMPTY}`,
  ];
  const [first, second, third] = await folder.load([...never, EMPTY], { limitMs: 300 });
  assertEquals(problemOf(first), "it was not ready within 0.3 s");
  assertEquals(problemOf(second), "it was not ready within 0.3 s");
  assertEquals(partsOf(third).name, "empty");
});

const SHAPES: readonly (readonly [parts: string, problem: string])[] = [
  ["undefined", "its function must return {name, tools?, hooks?, events?}, not undefined"],
  ["[]", "its function must return {name, tools?, hooks?, events?}, not []"],
  ["{}", `"name" must be a text that is not empty, not undefined`],
  [`{ name: " " }`, `"name" must be a text that is not empty, not " "`],
  [`{ name: "p", tool: [] }`, `"tool" is not a part of a plugin; did you mean tools?`],
  [`{ name: "p", tools: {} }`, `"tools" must be a list, not {}`],
  [`{ name: "p", tools: [null] }`, "a tool must come from defineTool({…}), not be null"],
  [
    `{ name: "p", tools: [{ name: "t", description: "d", parameters: z.object({}), run() {} }] }`,
    "the tool t must come from defineTool({…})",
  ],
  [`{ name: "p", tools: [t, t] }`, "the tool t is there twice"],
  [`{ name: "p", hooks: [] }`, `"hooks" must be an object, not []`],
  [
    `{ name: "p", hooks: { beforeToolcall() {} } }`,
    `"beforeToolcall" is not a hook; did you mean beforeToolCall`,
  ],
  [`{ name: "p", hooks: { onError: 1 } }`, `"hooks.onError" must be a function, not 1`],
  [`{ name: "p", events: { "tool.ended"() {} } }`, `"tool.ended" is not an event; did you mean`],
  [`{ name: "p", events: { text: "x" } }`, `"events.text" must be a function, not "x"`],
];

Deno.test("H1 each fault in the shape of a plugin has its own sentence", async () => {
  await using folder = await PluginFolder.make();
  const define = `const t = defineTool({
    name: "t", description: "d", parameters: z.object({}), run: () => "" });`;
  const reports = await folder.load(
    SHAPES.map(([parts]) =>
      `export default ({ z, defineTool }) => { ${define} return ${parts}; };`
    ),
  );
  for (const [index, [parts, problem]] of SHAPES.entries()) {
    assert(problemOf(reports[index]).startsWith(problem), `${parts}: ${problemOf(reports[index])}`);
  }
});

const TOOLS: readonly (readonly [change: string, problem: string])[] = [
  ["name: 1", "the name of a tool must be a text, not 1"],
  [`description: ""`, `the description of the tool t must be a text for the model, not ""`],
  [`exposure: "all"`, "the exposure of the tool t must be"],
  [
    "parameters: undefined",
    "the parameters of the tool t must be a zod object or a function of z, not undefined",
  ],
  [
    "parameters: { path: z.string() }",
    "the parameters of the tool t must be made by z.object({…}), not be",
  ],
  [
    "parameters: () => z.string()",
    "the parameters of the tool t must be made by z.object({…}), not be",
  ],
  [`run: "x"`, `the member run of the tool t must be a function, not "x"`],
  [`name: "no spaces"`, "no model can be given a tool named"],
  [`name: "built_in"`, "the tools built.in and built_in would both be built_in"],
];

Deno.test("H1 T2 a tool that no model could be given makes its plugin broken", async () => {
  await using folder = await PluginFolder.make();
  const builtIn = defineTool({
    name: "built.in",
    description: "d",
    parameters: (z) => z.object({}),
    run: () => "",
  });
  const sources = TOOLS.map(([change]) => `
    export default ({ z, defineTool }) => ({ name: "p", tools: [defineTool({
      name: "t", description: "d", parameters: z.object({}), run: () => "", ${change} })] });
  `);
  const reports = await folder.load(sources, { tools: [builtIn] });
  for (const [index, [change, problem]] of TOOLS.entries()) {
    assertStringIncludes(problemOf(reports[index]), problem, change);
  }
});

Deno.test("H1 two plugins cannot have the same name", async () => {
  await using folder = await PluginFolder.make();
  const [first, second] = await folder.load([EMPTY, EMPTY]);
  assertEquals(partsOf(first).name, "empty");
  assertEquals(problemOf(second), `the name empty is that of the plugin ${first?.file} already`);
});
