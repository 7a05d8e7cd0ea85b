import { type ErrorReport, toBubError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Tape } from "../tape/tape.ts";
import type { ResultSpill } from "../tool/execute.ts";
import { calledAs, type ToolSet } from "../tool/registry.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Tool } from "../tool/tool.ts";
import { isLongerThan, preview } from "./preview.ts";
import { SpillTape } from "./spill_tape.ts";

/** The tool that reads stored results: where it is missing, none are stored. */
const READER = "spill.read";

const CHARACTERS_PER_TOKEN = 4;

/** Characters of a stored result that stay in sight. */
const PREVIEW_CHARACTERS = 600;

export interface SpillOptions {
  /** The tape of the session; results go to its sidecar. */
  readonly tape: Tape;
  /** The tools of the one who reads the results. */
  readonly tools: ToolSet;
  /** Estimated tokens over which a result is stored (SP1); 0: none ever is. */
  readonly threshold: number;
  /** Told when a result could not be stored. */
  readonly warn: (message: string) => void;
}

/** What puts long results away, with a preview in their place; undefined: nothing does (SP1). */
export function createSpill(options: SpillOptions): ResultSpill | undefined {
  const reader = options.tools.find(READER);
  if (options.threshold === 0 || reader === undefined) return undefined;
  const results = new LongResults(options, reader);
  return (result, tool) => results.shorten(result, tool);
}

/** What stands in the place of a long text. */
interface Placeholder {
  readonly text: string;
  /** Why the text could not be stored; absent: it is. */
  readonly failure?: string;
}

class LongResults {
  readonly #limit: number;
  readonly #reader: Tool;
  /** How the reader of results calls it. */
  readonly #readerCall: string;
  readonly #stored: SpillTape;
  readonly #warn: (message: string) => void;

  constructor({ tape, tools, threshold, warn }: SpillOptions, reader: Tool) {
    this.#limit = threshold * CHARACTERS_PER_TOKEN;
    this.#reader = reader;
    this.#readerCall = calledAs(reader.name, tools);
    this.#stored = new SpillTape(tape);
    this.#warn = warn;
  }

  async shorten(result: ToolResult, tool: Tool): Promise<ToolResult> {
    if (tool === this.#reader) return result;
    if (result.status === "error") return await this.#shortenError(result);
    if (!this.#isLong(result.text)) return result;
    const { text } = await this.#put(result.text, result);
    return { ...result, value: text, text };
  }

  /** Output of a failed call is put away alone; the rest of its report follows if it is long too. */
  async #shortenError(result: ToolResult): Promise<ToolResult> {
    let report = result.value as ErrorReport;
    let failure: string | undefined;
    const output = report.details?.output;
    if (typeof output === "string" && this.#isLong(output)) {
      const put = await this.#put(output, result);
      failure = put.failure;
      report = withDetails(report, { output: put.text });
    }
    const whole = JSON.stringify(report);
    if (this.#isLong(whole)) {
      const { kind, message } = report;
      const { head } = preview(message, 2 * PREVIEW_CHARACTERS);
      // What has just failed is not tried again: one result, one warning.
      const { text } = failure === undefined
        ? await this.#put(whole, result)
        : { text: this.#cut(whole, failure) };
      report = { kind, message: head, details: { output: text } };
    }
    if (report === result.value) return result;
    return { ...result, value: report, text: JSON.stringify(report) };
  }

  #isLong(text: string): boolean {
    return isLongerThan(text, this.#limit);
  }

  /** Stores `text`, or says that it cannot be done. */
  async #put(text: string, { name, callId }: ToolResult): Promise<Placeholder> {
    try {
      const { handle, chunks } = await this.#stored.store(text, { tool: name, call_id: callId });
      const { head, tail } = preview(text, PREVIEW_CHARACTERS);
      const parts = chunks === 1 ? "1 chunk" : `${chunks} chunks`;
      const hint = `the whole result is stored in ${parts} of up to 16 KiB: ` +
        `${this.#readerCall} reads it, handle ${handle}`;
      return { text: `${head}\n[… only head and tail are shown; ${hint} …]\n${tail}` };
    } catch (thrown) {
      const { message } = toBubError(thrown);
      this.#warn(`a long result of ${name} could not be stored and was cut: ${message}`);
      return { text: this.#cut(text, message), failure: message };
    }
  }

  /** As much as would not have been put away; the rest is lost. */
  #cut(text: string, failure: string): string {
    const { head, tail } = preview(text, this.#limit);
    return `${head}\n[… the middle is lost, as it could not be stored: ${failure} …]\n${tail}`;
  }
}

function withDetails(report: ErrorReport, details: JsonObject): ErrorReport {
  return { ...report, details: { ...report.details, ...details } };
}
