import { signature } from "../lib/tool/parameter.ts";
import { admits, defineTool } from "../lib/tool/tool.ts";

/** Lists the text commands there are, whoever added them. */
export const help = defineTool({
  name: "help",
  description: "Lists the text commands with their parameters.",
  exposure: "command",
  parameters: (z) => z.object({}),
  run: async (_, { tools, commandPrefix: prefix }) => {
    const commands = tools.tools.filter((tool) => admits(tool, "command"));
    const lines = await Promise.all(commands.map(async (tool) => {
      return `${prefix}${signature(tool.name, await tools.schema(tool))}`;
    }));
    return [
      `Commands start with ${prefix} and take values in this order, or as key=value:`,
      "",
      ...lines,
      "",
      `Any other line behind ${prefix} runs in the shell. A message that starts with ` +
      `${prefix}${prefix} goes to the model without them.`,
      "",
    ].join("\n");
  },
});
