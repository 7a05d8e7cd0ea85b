import { skillLine } from "../lib/skill/listing.ts";
import { defineTool } from "../lib/tool/tool.ts";

/** Reads skills, of those that the turn may use (S2). */
export const skill = defineTool({
  name: "skill",
  description: "Returns a skill's location and text; without a name, lists the skills.",
  parameters: (z) =>
    z.object({
      name: z.string().nullable().default(null).describe("Null: list them"),
    }),
  async run({ name }, { skills }) {
    if (name === null) return (await skills.list()).map(skillLine).join("\n");
    const found = await skills.find(name);
    if (found === undefined) return "(no such skill)";
    const { location, allowedTools } = found;
    const tools = allowedTools === undefined ? [] : [`Allowed tools: ${allowedTools.join(", ")}`];
    return [`Location: ${location}`, ...tools, "---", await found.body()].join("\n");
  },
});
