import { ToolRegistry } from "../../lib/tool/registry.ts";
import { defineTool } from "../../lib/tool/tool.ts";
import { help } from "../../tools/help.ts";
import { assertEquals } from "../assert.ts";
import { attach, quit, read } from "../tool/sample_tools.ts";
import { Workbench } from "../tool/workbench.ts";

Deno.test("SC1 T2 help lists what commands may call, plugins and overrides as they are, and the prefix", async () => {
  const override = defineTool({
    name: "fs.read",
    description: "Another reader.",
    parameters: (z) => z.object({ url: z.string().describe("Where") }),
    run: () => "",
  });
  const tools = new ToolRegistry([read, quit, attach, help, override]);
  await using bench = await Workbench.open(tools, { caller: "command", commandPrefix: "!" });
  assertEquals(
    (await bench.call("help", "{}")).value,
    [
      "Commands start with ! and take values in this order, or as key=value:",
      "",
      "!fs.read url",
      "!quit",
      "!help",
      "",
      "Any other line behind ! runs in the shell. A message that starts with !! goes to the model " +
      "without them.",
      "",
    ].join("\n"),
  );
});
