import { isJsonObject } from "../json.ts";

/** The name of a call that came without one. No tool has it, so the model is told so. */
export const NAMELESS = "unnamed";

/**
 * Names the calls of one Chat Completions stream that start with an empty name. The adapter drops
 * such a call, or fails on its second piece, and the model would never learn of its mistake. An
 * empty name in a later piece of a call is left alone: some servers repeat it so.
 */
export class ToolNameRepair {
  readonly #started = new Set<unknown>();

  /** A line of the stream, changed where a call starts without a name. */
  line(line: string): string {
    if (!line.includes('"tool_calls"')) return line;
    const at = line.indexOf("{");
    const chunk = parsed(line.slice(at));
    let changed = false;
    for (const call of callsOf(chunk)) {
      const known = this.#started.has(call.index);
      this.#started.add(call.index);
      const { function: named } = call;
      if (known || !isJsonObject(named) || typeof named.name !== "string") continue;
      if (named.name.trim() !== "") continue;
      Object.assign(named, { name: NAMELESS });
      changed = true;
    }
    return changed ? line.slice(0, at) + JSON.stringify(chunk) : line;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is not JSON is the adapter's to report.
    return undefined;
  }
}

function callsOf(chunk: unknown): readonly Record<string, unknown>[] {
  const choices = isJsonObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  const [choice] = choices;
  const delta = isJsonObject(choice) ? choice.delta : undefined;
  const calls = isJsonObject(delta) ? delta.tool_calls : undefined;
  return Array.isArray(calls) ? calls.filter(isJsonObject) : [];
}
