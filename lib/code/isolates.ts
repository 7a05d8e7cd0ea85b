import { BubError, toBubError } from "../errors.ts";
import { settledOrAborted } from "../settled.ts";
import { CodeRun } from "./code_run.ts";
import { HelperProcess } from "./helper_process.ts";
import { RunSlots } from "./run_slots.ts";
import type { CodeSandbox, SandboxLimits, SandboxOutcome, SandboxRun } from "./sandbox.ts";

/** How many runs there are at once: each takes a process of some 55 MB. */
const MAX_RUNS = 8;

/** Runs code in helper processes: each serves one run, and one may wait for the next. */
export class Isolates implements CodeSandbox {
  readonly #limits: SandboxLimits;
  readonly #helpers = new Set<HelperProcess>();
  readonly #closing = new AbortController();
  readonly #slots = new RunSlots(MAX_RUNS);
  /** The one that waits. */
  #next: HelperProcess | undefined;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
  }

  prepare(): void {
    if (this.#closing.signal.aborted || this.#next?.isGone === false) return;
    try {
      this.#next = this.#start();
    } catch {
      // The run that needs one tries again, and says why that fails.
    }
  }

  async run(run: SandboxRun): Promise<SandboxOutcome> {
    const signal = AbortSignal.any([run.signal, this.#closing.signal]);
    using slot = await this.#slots.take(signal);
    if (slot === undefined) return interrupted(signal);
    const ahead = this.#next;
    this.#next = undefined;
    const outcome = ahead && await this.#tryIn(ahead, { ...run, signal });
    return outcome ?? await this.#runIn(this.#start(), { ...run, signal });
  }

  async close(): Promise<void> {
    this.#closing.abort(new BubError("interrupted", "the session ended while code ran"));
    for (const helper of this.#helpers) helper.kill();
    await Promise.all([...this.#helpers].map(({ gone }) => gone));
  }

  #start(): HelperProcess {
    const helper = new HelperProcess();
    this.#helpers.add(helper);
    helper.gone.then(() => this.#helpers.delete(helper));
    return helper;
  }

  /** Undefined: a helper that was started ahead had ended since, or never became ready. */
  async #tryIn(helper: HelperProcess, run: SandboxRun): Promise<SandboxOutcome | undefined> {
    try {
      await settledOrAborted([helper.ready], run.signal);
    } catch {
      return undefined;
    }
    if (run.signal.aborted) {
      helper.kill();
      return interrupted(run.signal);
    }
    return await new CodeRun(helper, run, this.#limits).outcome;
  }

  /** The same in one just started. Rejects with `tool` where there is no use in another one. */
  async #runIn(helper: HelperProcess, run: SandboxRun): Promise<SandboxOutcome> {
    const outcome = await this.#tryIn(helper, run);
    if (outcome !== undefined) return outcome;
    await helper.ready;
    throw new BubError("tool", "the sandbox for code ended before it took the code");
  }
}

/** Nothing has run. */
function interrupted({ reason }: AbortSignal): SandboxOutcome {
  return { printed: "", notes: [], returned: false, error: toBubError(reason, "interrupted") };
}
