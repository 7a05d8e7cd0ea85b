import { z } from "zod";
import type { Environment } from "../../lib/environment/environment.ts";
import type { Tool, ToolContext } from "../../lib/tool/tool.ts";
import type { ToolOutput } from "../../lib/tool/output.ts";

/**
 * Runs one tool as a step does: arguments through its schema, then the tool itself. Only the parts
 * of the context that file and web tools may use are there.
 */
export async function runTool(
  tool: Tool,
  environment: Environment,
  args: Record<string, unknown>,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutput> {
  const context = { environment, signal } as ToolContext;
  return await tool.run(tool.parameters(z).parse(args), context);
}

/** The message of zod's refusal of `args`; fails when they pass. */
export function refusal(tool: Tool, args: Record<string, unknown>): string {
  const { error } = tool.parameters(z).safeParse(args);
  if (error === undefined) throw new Error(`${JSON.stringify(args)} were accepted`);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
