import { alarm } from "../alarm.ts";
import { BubError, toBubError } from "../errors.ts";
import type { HelperEnd, HelperListener, HelperProcess } from "./helper_process.ts";
import { endError, outputError, sizeOf, timeoutError } from "./limit_errors.ts";
import { PrintedText } from "./printed_text.ts";
import {
  answerLine,
  failureLine,
  FLOOD_FACTOR,
  type HelperMessage,
  MAX_HELD_UNITS,
  MAX_LINE_UNITS,
  MAX_VALUE_UNITS,
  shownMessage,
  startLine,
} from "./protocol.ts";
import {
  MAX_CALLS,
  type SandboxCall,
  type SandboxLimits,
  type SandboxOutcome,
  type SandboxRun,
} from "./sandbox.ts";

/** Milliseconds over the time limit after which a helper is ended that did not do so itself. */
const SLACK_MS = 500;

/** The longest time a timer can take. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Answers that wait may have this part of the memory, in units: on their way into the code there
 * are several copies of them.
 */
const ANSWER_SHARE = 8;

/** The most notes that are taken. */
const MAX_NOTES = 32;

/** What a run needs of a helper. */
export type HelperPort = Pick<HelperProcess, "listen" | "send" | "kill">;

/**
 * The host's side of one run in a helper that is ready. Believes nothing the helper says: numbers,
 * amounts and sizes are checked, whoever wrote them.
 */
export class CodeRun implements HelperListener {
  /** Undefined: the helper had ended before it took the code, of which nothing has run. */
  readonly outcome: Promise<SandboxOutcome | undefined>;
  readonly #outcome = Promise.withResolvers<SandboxOutcome | undefined>();
  readonly #helper: HelperPort;
  readonly #run: SandboxRun;
  readonly #limits: SandboxLimits;
  readonly #printed: PrintedText;
  readonly #notes: string[] = [];
  /** The calls under way, by number. */
  readonly #calls = new Map<number, SandboxCall>();
  readonly #cancel = new AbortController();
  readonly #resources = new DisposableStack();
  #lastCall = 0;
  /** Units of the arguments of the calls under way. */
  #heldUnits = 0;
  /** Units of the answers that the helper has not taken yet. */
  #answeredUnits = 0;
  #started = false;

  /** Sends the code. */
  constructor(helper: HelperPort, run: SandboxRun, limits: SandboxLimits) {
    this.#helper = helper;
    this.#run = run;
    this.#limits = limits;
    this.#printed = new PrintedText(limits.outputBytes);
    this.outcome = this.#outcome.promise;
    this.#watch();
    helper.listen(this);
    this.#start();
  }

  message(message: HelperMessage): void {
    if (this.#resources.disposed) return;
    switch (message.type) {
      case "started":
        this.#started = true;
        return;
      case "print":
        return this.#print(message.text);
      case "note":
        if (this.#notes.length < MAX_NOTES) this.#notes.push(shownMessage(message.text));
        return;
      case "call":
        return this.#accept(message.call);
      case "end":
        return this.#finish(message);
    }
  }

  ended(end: HelperEnd): void {
    if (this.#started) this.#end(endError(end, this.#limits, this.#run.timeoutMs));
    else this.#outcome.resolve(undefined);
  }

  #start(): void {
    const { code, tools, timeoutMs } = this.#run;
    const { memoryBytes, outputBytes } = this.#limits;
    const floodUnits = FLOOD_FACTOR * outputBytes;
    const line = startLine({ code, tools, timeoutMs, memoryBytes, floodUnits });
    if (line.length <= MAX_LINE_UNITS) return void this.#helper.send(line);
    const most = sizeOf(MAX_VALUE_UNITS);
    this.#end(new BubError("invalid_input", `code may have ${most} at most`));
  }

  #watch(): void {
    const { signal, timeoutMs } = this.#run;
    const abort = () => this.#end(toBubError(signal.reason, "interrupted"));
    signal.addEventListener("abort", abort, { once: true });
    this.#resources.defer(() => signal.removeEventListener("abort", abort));
    const limit = Math.min(timeoutMs + SLACK_MS, MAX_TIMER_MS);
    this.#resources.use(alarm(limit, () => this.#end(timeoutError(timeoutMs))));
  }

  #print(text: string): void {
    this.#printed.add(text);
    const flood = FLOOD_FACTOR * this.#limits.outputBytes;
    if (this.#printed.units > flood) this.#end(outputError(this.#limits));
  }

  #accept(call: SandboxCall): void {
    this.#heldUnits += call.args.length;
    const many = this.#calls.size >= MAX_CALLS || this.#heldUnits > MAX_HELD_UNITS;
    if (many || call.number !== this.#lastCall + 1) {
      const message = "the code made calls in another way than by `tools`, " +
        `which has ${MAX_CALLS} at a time under way`;
      return this.#end(new BubError("tool", message));
    }
    this.#lastCall = call.number;
    this.#calls.set(call.number, call);
    void this.#serve(call);
  }

  async #serve(call: SandboxCall): Promise<void> {
    const line = await this.#answer(call);
    this.#calls.delete(call.number);
    this.#heldUnits -= call.args.length;
    if (!this.#resources.disposed) await this.#send(this.#bounded(line, call));
  }

  /** The answer, or that it is too long where too much waits already. */
  #bounded(line: string, call: SandboxCall): string {
    const most = Math.max(2 * MAX_VALUE_UNITS, this.#limits.memoryBytes / ANSWER_SHARE);
    if (this.#answeredUnits + line.length <= most) return line;
    const message = `the result of ${call.name} and those before it are together longer than ` +
      `${sizeOf(most)}; make fewer calls with long results at a time`;
    return failureLine(call.number, new BubError("tool", message));
  }

  async #send(line: string): Promise<void> {
    this.#answeredUnits += line.length;
    await this.#helper.send(line);
    this.#answeredUnits -= line.length;
  }

  async #answer(call: SandboxCall): Promise<string> {
    try {
      const value = await this.#run.call(call, this.#cancel.signal);
      return answerLine(call.number, value) ?? failureLine(call.number, overlong(call));
    } catch (thrown) {
      return failureLine(call.number, toBubError(thrown, "tool"));
    }
  }

  #finish({ problem, returned }: Extract<HelperMessage, { type: "end" }>): void {
    const error = problem === null ? null : new BubError("tool", shownMessage(problem));
    this.#end(error, returned);
  }

  /** Ends the run, its calls and its process; the first end counts. */
  #end(error: BubError | null, returned = false): void {
    if (this.#resources.disposed) return;
    this.#resources.dispose();
    this.#helper.kill();
    const cancelled = Array.from(this.#calls.values(), ({ name }) => name).join(", ");
    if (cancelled !== "") this.#notes.push(`cancelled: ${cancelled}`);
    this.#cancel.abort(error ?? new BubError("interrupted", "the code ended before this call"));
    const printed = this.#printed.toString();
    this.#outcome.resolve({ printed, notes: this.#notes, returned, error });
  }
}

function overlong({ name }: SandboxCall): BubError {
  const most = sizeOf(MAX_VALUE_UNITS);
  const message = `the result of ${name} is longer than ${most}, the most code can take`;
  return new BubError("tool", message);
}
