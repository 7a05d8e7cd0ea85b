import { BubError } from "../errors.ts";
import { calledAs, type ToolSet } from "./registry.ts";
import { type Caller, modelAlias, type Tool } from "./tool.ts";

/** Why a tool that is there is not for this call; undefined: it is. */
export function refusal(tool: Tool, caller: Caller, tools: ToolSet): BubError | undefined {
  if (caller === "command") return undefined;
  const runsCode = tool === tools.codeRunner;
  if (caller === "code" && runsCode) return runsNoCode(tool);
  if (caller === "model" && runsCode !== tools.codeMode) {
    return runsCode ? noCodeMode(tool) : onlyFromCode(tool, tools);
  }
  return tool.exposure === "deferred" && !tools.offers(tool) ? notLoaded(tool) : undefined;
}

function runsNoCode({ name }: Tool): BubError {
  const message = `code cannot call ${modelAlias(name)}; what it would run can be part of it`;
  return new BubError("unknown_tool", message);
}

function noCodeMode({ name }: Tool): BubError {
  const message = `${modelAlias(name)} is there in code mode only, which is off; call the tools ` +
    "one by one";
  return new BubError("unknown_tool", message);
}

function onlyFromCode({ name }: Tool, tools: ToolSet): BubError {
  const message = `in code mode ${modelAlias(name)} is called from run_code: ` +
    `await ${calledAs(name, tools)}({...})`;
  return new BubError("unknown_tool", message);
}

function notLoaded({ name }: Tool): BubError {
  const alias = modelAlias(name);
  return new BubError(
    "unknown_tool",
    `${alias} is not loaded; call tool_describe with names ["${alias}"] first, and ${alias} in ` +
      `the step after it`,
  );
}
