import { assertEquals, assertStringIncludes } from "../assert.ts";
import { TemporaryAgent } from "../kernel/temporary_agent.ts";
import { PluginFolder } from "./workbench.ts";

const SHOUT = `
  export default ({ defineTool }) => ({
    name: "shout",
    tools: [
      defineTool({
        name: "text.shout",
        description: "Makes text loud.",
        parameters: (z) => z.object({ text: z.string().describe("What to shout") }),
        run: ({ text }) => text.toUpperCase(),
      }),
      defineTool({
        name: "web.fetch",
        description: "Fetches nothing.",
        parameters: (z) => z.object({ page: z.string().describe("Which page") }),
        run: ({ page }) => "no " + page,
      }),
    ],
  });
`;

Deno.test("T2 H1 tools of plugins join the built-in ones and take the place of those so named", async () => {
  await using folder = await PluginFolder.make();
  const shout = await folder.write(SHOUT);
  await using app = await TemporaryAgent.open(
    [
      {
        calls: [
          { name: "text_shout", arguments: { text: "hi" } },
          { name: "web_fetch", arguments: { page: "home" } },
          { name: "web_fetch", arguments: { url: "http://localhost" } },
        ],
      },
      { text: "done" },
    ],
    {},
    { flags: { plugins: [shout] } },
  );
  await app.run("go");
  assertEquals(app.warnings, []);
  const { tools } = app.server.requests[0]?.body as {
    tools: { function: { name: string; description: string; parameters: unknown } }[];
  };
  const offered = new Map(tools.map((each) => [each.function.name, each.function]));
  assertEquals(offered.get("web_fetch")?.description, "Fetches nothing.");
  assertEquals(offered.get("text_shout")?.parameters, {
    type: "object",
    properties: { text: { type: "string", description: "What to shout" } },
    required: ["text"],
  });
  assertEquals(tools.filter(({ function: { name } }) => name === "web_fetch").length, 1);
  const results = (await app.tape()).find(({ kind }) => kind === "tool_result")?.payload.results;
  const [loud, fetched, wrong] = results as unknown[];
  assertEquals([loud, fetched], ["HI", "no home"]);
  assertStringIncludes(JSON.stringify(wrong), "invalid_input");
  const help = await app.run(",help");
  assertStringIncludes(help.output, "text.shout text");
  assertStringIncludes(help.output, "web.fetch page");
  assertEquals((await app.run(",text.shout hello")).output, "HELLO");
});

Deno.test("H1 a broken plugin is told of and skipped, and the program goes on", async () => {
  await using folder = await PluginFolder.make();
  const files = [
    await folder.write("export default 1;"),
    await folder.write(SHOUT),
    `${folder.path}/gone.ts`,
  ];
  await using app = await TemporaryAgent.open([{ text: "fine" }], {}, {
    flags: { plugins: files },
  });
  assertEquals(app.warnings, [
    `the plugin ${
      files[0]
    } was skipped: its default export must be a function of the API object, ` +
    "not 1",
    `the plugin ${files[2]} was skipped: there is no such file`,
  ]);
  assertEquals((await app.run("go")).output, "fine");
  assertEquals((await app.run(",text.shout hello")).output, "HELLO");
});
