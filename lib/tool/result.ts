import { BubError, type ErrorReport, failedOutput } from "../errors.ts";
import type { CallStatus } from "../event.ts";
import type { JsonValue } from "../json.ts";
import { FailedOutput, type Media, MediaOutput, StreamedOutput } from "./output.ts";

/** How one tool call ended, ready for the tape and the model. */
export interface ToolResult {
  readonly callId: string;
  /** Runtime name where the tool is known, else the name as it came. */
  readonly name: string;
  readonly status: CallStatus;
  /** What the tape keeps: the text, the value, or the error report. */
  readonly value: JsonValue;
  /** What the model reads: text as it is (`(empty)` if there is none), JSON text of a value. */
  readonly text: string;
  readonly media: readonly Media[];
  /** The whole output, where `text` is only a preview of it. */
  readonly output?: StreamedOutput;
  /** Why the call failed, cause included; only there when it did. */
  readonly error?: BubError;
  readonly elapsedMs: number;
}

/** The part of a result that does not depend on the call. */
export type RenderedOutput = Omit<ToolResult, "callId" | "name" | "elapsedMs">;

/**
 * What a tool returned in the form of a result. Plugins return what they like: nothing counts as
 * empty text, big integers become decimal text, and what JSON has no form for throws `tool`.
 */
export function renderOutput(output: unknown): RenderedOutput {
  if (output instanceof FailedOutput) return { ...renderError(output.error), media: output.media };
  if (output instanceof StreamedOutput) {
    return { ...renderValue(output.preview), media: [], output };
  }
  if (output instanceof MediaOutput) {
    const { media } = output;
    const value = output.value === "" ? media.map(({ label }) => label).join("\n") : output.value;
    return { ...renderValue(value), media };
  }
  return { ...renderValue(output), media: [] };
}

/** A failure as a result: the model reads the report as JSON, less details that JSON cannot carry. */
export function renderError(error: BubError): RenderedOutput {
  const { kind, message } = error;
  try {
    return { ...jsonForm(error.report()), status: "error", media: [], error };
  } catch {
    return { ...jsonForm({ kind, message }), status: "error", media: [], error };
  }
}

/** An error for people: the output there was, and below it what went wrong. */
export function errorText(error: ErrorReport | BubError): string {
  const output = failedOutput(error);
  return `${output}${output === "" || output.endsWith("\n") ? "" : "\n"}${error.message}`;
}

/** A value for people: text as it is, JSON with indentation. */
export function printedValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function renderValue(value: unknown) {
  if (value === undefined || value === "") {
    return { status: "ok", value: "", text: "(empty)" } as const;
  }
  if (typeof value === "string") return { status: "ok", value, text: value } as const;
  return { status: "ok", ...jsonForm(value) } as const;
}

/** A copy of `value` as JSON carries it, so that nobody changes what the tape keeps. */
function jsonForm(value: unknown): { readonly value: JsonValue; readonly text: string } {
  try {
    const text: string | undefined = JSON.stringify(value, bigintAsText);
    if (text === undefined) throw new TypeError(`a ${typeof value}`);
    return { value: JSON.parse(text), text };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new BubError(
      "tool",
      `the tool returned what JSON cannot carry: ${reason}; text or a JSON value is right`,
      { cause },
    );
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
