import { BubError } from "../errors.ts";
import type { CodePort } from "../tool/code_port.ts";
import { FailedOutput, MediaOutput, type ToolOutput } from "../tool/output.ts";
import { modelAlias } from "../tool/tool.ts";
import { callValue } from "./call_value.ts";
import type { SandboxOutcome } from "./sandbox.ts";
import { ShownMedia } from "./shown_media.ts";

export interface CodeToRun {
  readonly code: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Runs code that calls tools: the result is what it printed and the media it attached. Throws why it
 * did not come to its end, with what it printed as `output` in the details.
 */
export async function runCode(
  { code, timeoutSeconds, signal }: CodeToRun,
  port: CodePort,
): Promise<ToolOutput> {
  const shown = new ShownMedia();
  const outcome = await port.sandbox.run({
    code,
    tools: port.tools.map(({ name }) => modelAlias(name)),
    timeoutMs: timeoutSeconds * 1000,
    signal,
    call: async (call, signal) => {
      return await callValue(await port.call(call, { attach: shown.add, signal }));
    },
  });
  const media = shown.all;
  const text = outputText(outcome, media.length);
  if (outcome.error === null) return media.length === 0 ? text : new MediaOutput(text, media);
  const error = withOutput(outcome.error, text);
  if (media.length === 0) throw error;
  return new FailedOutput(error, media);
}

/** What was printed, and the notes on lines of their own. */
function outputText(outcome: SandboxOutcome, media: number): string {
  const { printed, error } = outcome;
  const notes = [...outcome.notes];
  if (printed === "" && media === 0 && error === null) notes.push(nothingShown(outcome));
  if (notes.length === 0) return printed;
  const start = printed === "" || printed.endsWith("\n") ? printed : `${printed}\n`;
  return start + notes.map((note) => `[${note}]\n`).join("");
}

function nothingShown({ returned }: SandboxOutcome): string {
  const what = returned ? "returned a value and printed nothing" : "printed nothing";
  return `the code ${what}; only what print(…) was given is part of the result`;
}

function withOutput(error: BubError, output: string): BubError {
  if (output === "") return error;
  const { kind, message, details } = error;
  return new BubError(kind, message, { cause: error, details: { ...details, output } });
}
