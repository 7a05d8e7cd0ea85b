import { eventEntry } from "../lib/tape/entry.ts";
import { defineTool, LOADED_EVENT, modelAlias, type Tool } from "../lib/tool/tool.ts";

/** Shows schemas, and so loads tools of exposure `deferred` (S3). */
export const toolDescribe = defineTool({
  name: "tool.describe",
  description:
    "Describes tools and loads those that are not loaded: callable from the next step on.",
  parameters: (z) => z.object({ names: z.array(z.string()).min(1).describe("Names of tools") }),
  async run({ names }, { tools, tape, caller }) {
    const known = new Set<Tool>();
    const unknown = new Set<string>();
    for (const name of names) {
      const tool = tools.find(name);
      // What only people may call does not exist for a model.
      const hidden = caller !== "command" && tool?.exposure === "command";
      if (tool === undefined || hidden) unknown.add(name);
      else known.add(tool);
    }
    const found = [...known];
    const loading = found.filter((tool) => tool.exposure === "deferred" && !tools.offers(tool));
    if (loading.length > 0) {
      await tape.append(eventEntry(LOADED_EVENT, { names: loading.map(({ name }) => name) }));
    }
    const shown = ({ name }: Tool) => caller === "command" ? name : modelAlias(name);
    return {
      tools: await Promise.all(found.map(async (tool) => ({
        name: shown(tool),
        description: tool.description,
        parameters: await tools.schema(tool),
      }))),
      unknown: [...unknown],
      already_loaded: found.filter((tool) => tools.offers(tool)).map(shown),
    };
  },
});
