import { defineTool, type SessionSettings, type Tool, type ToolContext } from "../lib/tool/tool.ts";

const model = defineTool({
  name: "model",
  description: "Chooses the model of this session, from the next turn on.",
  exposure: "command",
  parameters: (z) => z.object({ model_id: z.string().trim().min(1).describe("provider:model") }),
  run: ({ model_id }, context) => change({ model: model_id }, `model: ${model_id}`, context),
});

const reasoningEffort = defineTool({
  name: "reasoning_effort",
  description: "Sets how hard the model of this session thinks, from the next turn on.",
  exposure: "command",
  parameters: (z) =>
    z.object({ reasoning_effort: z.string().trim().min(1).describe("Such as low or high") }),
  run: ({ reasoning_effort: effort }, context) =>
    change({ reasoningEffort: effort }, `reasoning effort: ${effort}`, context),
});

const codeMode = defineTool({
  name: "code_mode",
  description: "Switches code mode of this session on or off, from the next turn on.",
  exposure: "command",
  parameters: (z) => z.object({ enable: z.boolean().describe("true or false") }),
  run: ({ enable }, context) =>
    change({ codeMode: enable }, `code mode: ${enable ? "on" : "off"}`, context),
});

const quit = defineTool({
  name: "quit",
  description: "Drops pending messages and ends everything that runs in this session.",
  exposure: "command",
  parameters: (z) => z.object({}),
  async run(_, { session }) {
    const { messages, turns, subagents, shells } = await session.quit();
    const ended = [
      count(messages, "pending message"),
      count(turns, "running turn"),
      count(subagents, "subagent"),
      count(shells, "running shell"),
    ].flat();
    return ended.length === 0 ? "Nothing was running." : `Ended: ${ended.join(", ")}.`;
  },
});

/** What people may change in a session. */
export const sessionCommands: readonly Tool[] = [model, reasoningEffort, codeMode, quit];

/** Records one setting and says what came of it. */
async function change(
  setting: SessionSettings,
  said: string,
  { session }: ToolContext,
): Promise<string> {
  const outranked = await session.change(setting);
  return outranked.length === 0
    ? `${said}, from the next turn on`
    : `${said}, once bub runs without the flag that says otherwise`;
}

function count(n: number, what: string): string[] {
  return n === 0 ? [] : [`${n} ${what}${n === 1 ? "" : "s"}`];
}
