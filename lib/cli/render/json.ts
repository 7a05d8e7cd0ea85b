import { failedOutput } from "../../errors.ts";
import type { TurnResult } from "../../event.ts";
import type { JsonObject } from "../../json.ts";
import type { Console } from "../console.ts";
import { Progress, type Verbosity } from "./progress.ts";
import type { Renderer } from "./renderer.ts";

/** For scripts: one object on standard output; what leads there is on standard error. */
export class JsonRenderer implements Renderer {
  readonly write = undefined;
  readonly onEvent: Renderer["onEvent"];
  readonly #console: Console;

  constructor(console: Console, sessionId: string, verbosity: Verbosity) {
    this.#console = console;
    const progress = new Progress(console.stderr, sessionId, verbosity);
    this.onEvent = (event) => progress.onEvent(event);
  }

  async finish(result: TurnResult): Promise<void> {
    if (result.error !== null) await this.#console.complain(result.error.message);
    await this.#console.stdout.write(`${jsonText(resultFields(result), 2)}\n`);
  }
}

/** The fields of a result that scripts can rely on, in this order. */
export function resultFields(result: TurnResult): JsonObject {
  const { session_id, status, steps, usage, tasks } = result;
  const error = result.error && { kind: result.error.kind, message: result.error.message };
  return { session_id, output: saidOutput(result), status, steps, usage, tasks, error };
}

/** A text command that failed has what it had printed in its error. */
function saidOutput({ output, steps, error }: TurnResult): string {
  return output === "" && steps === 0 && error !== null ? failedOutput(error) : output;
}

/** JSON that is safe to print: the control codes that JSON itself leaves alone are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
