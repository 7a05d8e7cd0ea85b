import type { ToolRegistry } from "../tool/registry.ts";
import { modelAlias, type Tool } from "../tool/tool.ts";

// Named by a variable, so that Deno loads it in code mode alone (see main.ts).
const CODE_PROMPT = "../code/code_prompt.ts";

/** What the system prompt says of the tools that are not among the functions of the request. */
export async function toolsSection(tools: ToolRegistry): Promise<readonly string[]> {
  const texts = tools.codeMode
    ? [await declaredTools(tools), ...codeDeferred(tools)]
    : deferredTools(tools);
  return texts.length === 0 ? [] : [texts.join("\n\n")];
}

/** The tools that code may call. */
async function declaredTools(tools: ToolRegistry): Promise<string> {
  const { codePrompt }: typeof import("../code/code_prompt.ts") = await import(CODE_PROMPT);
  const declared = tools.forCode().map(async (tool) => ({
    name: modelAlias(tool.name),
    description: tool.description,
    parameters: await tools.schema(tool),
  }));
  return codePrompt(await Promise.all(declared));
}

/** The tools that code has to load; what is loaded is among the declared ones. */
function codeDeferred(tools: ToolRegistry): readonly string[] {
  const left = tools.deferred().filter((tool) => !tools.offers(tool));
  const how =
    "More tools. Before the first use load them with await tools.tool_describe({names}) " +
    "and print what it gives; they are callable in the step after it.";
  return listed(how, left);
}

/**
 * The tools the model knows by name alone (S3). Loaded ones stay listed, so that loading leaves the
 * prompt as it was and providers can cache it.
 */
function deferredTools(tools: ToolRegistry): readonly string[] {
  const how = "More tools. Before the first use load them with tool_describe and their names; " +
    "they are callable in the step after it.";
  return listed(how, tools.deferred());
}

function listed(how: string, tools: readonly Tool[]): readonly string[] {
  if (tools.length === 0) return [];
  const lines = tools.map(({ name, description }) =>
    `- ${modelAlias(name)}: ${description.trim().split("\n", 1)[0]}`
  );
  return [[how, ...lines].join("\n")];
}
