import type { EventBody } from "../event.ts";
import type { JsonValue } from "../json.ts";
import type { ToolCall } from "../tape/entry.ts";
import type { ToolResult } from "../tool/execute.ts";
import type { ToolSet } from "../tool/registry.ts";

/** Tells watchers of the calls of one step, those of its code included. */
export class CallWatch {
  readonly #step: number;
  readonly #emit: (event: EventBody) => void;

  constructor(step: number, emit: (event: EventBody) => void) {
    this.#step = step;
    this.#emit = emit;
  }

  /** `parent`: the id of the call whose code makes this one. */
  started(
    { id, function: { name, arguments: args } }: ToolCall,
    tools: ToolSet,
    parent?: string,
  ): void {
    this.#emit({
      type: "tool.start",
      step: this.#step,
      call_id: id,
      ...parentOf(parent),
      name: tools.find(name)?.name ?? name,
      arguments: shownArguments(args),
    });
  }

  ended({ callId, name, status, elapsedMs, text: output }: ToolResult, parent?: string): void {
    this.#emit({
      type: "tool.end",
      step: this.#step,
      call_id: callId,
      ...parentOf(parent),
      name,
      status,
      elapsed_ms: elapsedMs,
      output,
    });
  }
}

function parentOf(parent: string | undefined) {
  return parent === undefined ? {} : { parent_call_id: parent };
}

/** The arguments for watchers: parsed where they are JSON, else the text as it came. */
function shownArguments(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
