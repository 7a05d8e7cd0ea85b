import type { z as Zod } from "zod";
import { alternatives } from "../close_match.ts";
import { BubError } from "../errors.ts";
import { archiveStamp } from "../tape/archive.ts";
import { numberDrafts } from "../tape/line.ts";
import { checkTapeName } from "../tape/name.ts";
import { MediaOutput } from "../tool/output.ts";
import { defineTool, EXPOSURES, type Tool } from "../tool/tool.ts";
import type { PluginApi, PluginToolDefinition } from "./plugin.ts";
import { isObject, shown } from "./shown.ts";

/** The object that plugins are called with. */
export function pluginApi(z: typeof Zod): PluginApi {
  return {
    z,
    defineTool: (definition) => definePluginTool(definition),
    BubError,
    MediaOutput,
    tape: { checkTapeName, numberDrafts, archiveStamp },
  };
}

/** `defineTool` for authors whom no compiler may have checked. */
function definePluginTool<S extends Zod.ZodObject>(definition: PluginToolDefinition<S>): Tool {
  const problem = toolProblem(definition);
  if (problem !== null) throw new TypeError(problem);
  const { name, parameters } = definition;
  return defineTool<S>({
    ...definition,
    parameters: typeof parameters === "function"
      ? (z) => zodObject(name, parameters(z))
      : () => zodObject(name, parameters),
    run: (args, context) => definition.run(args, context),
  });
}

/** The parameters of a tool, which whoever writes no types may take for a plain object. */
function zodObject<S extends Zod.ZodObject>(tool: string, parameters: S): S {
  if (isObject(parameters) && isObject(parameters.def) && parameters.def.type === "object") {
    return parameters;
  }
  throw new TypeError(
    `the parameters of the tool ${tool} must be made by z.object({…}), not be ${shown(parameters)}`,
  );
}

/** What is wrong with a tool or its definition; null: nothing that shows without running it. */
export function toolProblem(tool: unknown): string | null {
  if (!isObject(tool)) return `a tool must come from defineTool({…}), not be ${shown(tool)}`;
  const { name, description, exposure = "default", parameters, run } = tool;
  if (typeof name !== "string") return `the name of a tool must be a text, not ${shown(name)}`;
  if (typeof description !== "string" || description.trim() === "") {
    return `the description of the tool ${name} must be a text for the model, ` +
      `not ${shown(description)}`;
  }
  if (!EXPOSURES.some((each) => each === exposure)) {
    return `the exposure of the tool ${name} must be ${alternatives(EXPOSURES)}, ` +
      `not ${shown(exposure)}`;
  }
  if (typeof parameters !== "function" && !isObject(parameters)) {
    return `the parameters of the tool ${name} must be a zod object or a function of z, ` +
      `not ${shown(parameters)}`;
  }
  if (typeof run !== "function") {
    return `the member run of the tool ${name} must be a function, not ${shown(run)}`;
  }
  return null;
}
