import type { ToolSet } from "../tool/registry.ts";
import { modelAlias, type Tool } from "../tool/tool.ts";
import { type ParsedArgs, usage } from "./args.ts";
import type { CommandContext } from "./command.ts";
import { commonFlags, configure } from "./configure.ts";
import type { LIST_FLAGS } from "./flags.ts";
import { loadModules, openAgent, unknownTool } from "./open_agent.ts";

/** `bub tools [NAME]`: what tools there are, or all about one. */
export async function listTools(
  { flags, words: [name] }: ParsedArgs<typeof LIST_FLAGS>,
  context: CommandContext,
): Promise<number> {
  const modules = loadModules(context);
  using configuration = await configure(commonFlags(flags), context, { saves: false });
  await using opened = await openAgent(modules, configuration, context);
  const { tools } = opened.agent;
  const { stdout } = context.console;
  const chosen = name === undefined ? sorted(tools) : [findTool(name, tools)];
  if (flags.json === true) {
    const described = await Promise.all(chosen.map((tool) => describe(tool, tools)));
    const value = name === undefined ? described : described[0];
    await stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  } else if (name === undefined) {
    await stdout.write(table(chosen).map((line) => `${line}\n`).join(""));
  } else {
    const [tool] = chosen as [Tool];
    const parameters = JSON.stringify(await tools.schema(tool), null, 2);
    const names = `${tool.name} (${modelAlias(tool.name)} for the model), ${tool.exposure}`;
    await stdout.write(stdout.safe(`${names}\n\n${tool.description}\n\n${parameters}\n`));
  }
  return 0;
}

async function describe(tool: Tool, tools: ToolSet) {
  const { name, description, exposure } = tool;
  return {
    name,
    alias: modelAlias(name),
    exposure,
    description,
    parameters: await tools.schema(tool),
  };
}

function sorted({ tools }: ToolSet): readonly Tool[] {
  return tools.toSorted((a, b) => a.name < b.name ? -1 : 1);
}

function table(tools: readonly Tool[]): readonly string[] {
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, exposure, description }) =>
    `${name.padEnd(width)}  ${exposure.padEnd("deferred".length)}  ${firstSentence(description)}`
  );
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/s.exec(text)?.[0].replace(/[.:;]$/, "") ?? text;
}

function findTool(name: string, tools: ToolSet): Tool {
  const tool = tools.find(name);
  if (tool !== undefined) return tool;
  throw usage(unknownTool(name, tools));
}
