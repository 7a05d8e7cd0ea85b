import { alternatives, closeMatches } from "../close_match.ts";
import { EVENT_TYPES } from "../event.ts";
import { HOOK_NAMES } from "../hook/hooks.ts";
import { toolProblem } from "./api.ts";
import { PLUGIN_MEMBERS } from "./plugin.ts";
import { isObject, shown } from "./shown.ts";

/** What is wrong with what a plugin returned, in one sentence; null: nothing. */
export function pluginProblem(parts: unknown): string | null {
  if (!isObject(parts)) {
    return `its function must return {name, tools?, hooks?, events?}, not ${shown(parts)}`;
  }
  const { name, tools = [], hooks = {}, events = {} } = parts;
  if (typeof name !== "string" || name.trim() === "") {
    return `"name" must be a text that is not empty, not ${shown(name)}`;
  }
  return unknownMember(parts, PLUGIN_MEMBERS, "a part of a plugin") ??
    toolsProblem(tools) ??
    functionsProblem(hooks, HOOK_NAMES, "hooks", "a hook") ??
    functionsProblem(events, Object.keys(EVENT_TYPES), "events", "an event");
}

function toolsProblem(tools: unknown): string | null {
  if (!Array.isArray(tools)) return `"tools" must be a list, not ${shown(tools)}`;
  const names = new Set<string>();
  for (const tool of tools) {
    const problem = toolProblem(tool);
    if (problem !== null) return problem;
    // A definition as it is, which looks much like a tool.
    if (typeof tool.parameters !== "function" || tool.exposure === undefined) {
      return `the tool ${tool.name} must come from defineTool({…})`;
    }
    const name = String(tool.name).toLowerCase();
    if (names.has(name)) return `the tool ${tool.name} is there twice`;
    names.add(name);
  }
  return null;
}

/** The mistake in an object that has functions under known names, and nothing else. */
function functionsProblem(
  value: unknown,
  known: readonly string[],
  member: string,
  what: string,
): string | null {
  if (!isObject(value)) return `"${member}" must be an object, not ${shown(value)}`;
  const unknown = unknownMember(value, known, what);
  if (unknown !== null) return unknown;
  const wrong = known.find((name) => value[name] !== undefined && !isFunction(value[name]));
  return wrong === undefined
    ? null
    : `"${member}.${wrong}" must be a function, not ${shown(value[wrong])}`;
}

function unknownMember(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  what: string,
): string | null {
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other === undefined) return null;
  const close = closeMatches(other, known);
  return close.length === 0
    ? `"${other}" is not ${what}; known: ${known.join(", ")}`
    : `"${other}" is not ${what}; did you mean ${alternatives(close)}?`;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
