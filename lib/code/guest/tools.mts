import { isPromise } from "node:util/types";
import type { Calls } from "./calls.mts";
import { defineProperty, getMember, NativePromise, toJson } from "./primordials.mts";

type ToolFunction = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * The object `tools`: a function for each of `names`, which it lists, and for whatever else is
 * asked of it, since the host knows best which names are close to it. Names may have dots, so that
 * `tools.fs.read` is `tools["fs.read"]`. It prints as any object does, and is no promise:
 * a tool called `then` cannot be had of it, for every `await tools` would call that.
 */
export function makeTools(names: readonly string[], calls: Calls): object {
  const tools = {};
  for (const name of names) {
    if (name === "then") continue;
    const value = makeTool(name, calls);
    defineProperty(tools, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return new Proxy(tools, {
    get: (_, name) => name in tools ? getMember(tools, name) : unknownTool("", name, calls),
  });
}

function unknownTool(family: string, name: string | symbol, calls: Calls) {
  // Whatever waits for a value, or makes JSON of it, asks for these.
  if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
  return makeTool(family + name, calls);
}

function makeTool(name: string, calls: Calls): ToolFunction {
  const call: ToolFunction = (...args) => {
    try {
      return calls.make(name, argument(name, args));
    } catch (thrown) {
      return NativePromise.reject(thrown);
    }
  };
  defineProperty(call, "name", { value: name });
  return new Proxy(call, {
    get: (_, member) =>
      member in call ? getMember(call, member) : unknownTool(`${name}.`, member, calls),
  });
}

/** JSON of what a tool is given. Throws where there is none, or more than one argument. */
function argument(name: string, args: readonly unknown[]): string {
  if (args.length > 1) {
    throw new TypeError(
      `tools.${name} takes one argument, an object of parameters; got ${args.length}`,
    );
  }
  if (args.length === 0 || args[0] === undefined) return "{}";
  const json = toJson(args[0], checkMember);
  if (json === undefined) {
    throw new TypeError(`tools.${name} takes JSON; a ${typeof args[0]} has no place in it`);
  }
  return json;
}

function checkMember(key: string, value: unknown): unknown {
  if (!isPromise(value)) return value;
  const what = key === "" ? "the argument" : key;
  throw new TypeError(`${what} is a Promise; did you forget await?`);
}
