import { alarm } from "../alarm.ts";
import { BubError } from "../errors.ts";

/** How long a model call may be silent, and take; in milliseconds. */
export interface CallLimits {
  /** Nothing at all arrives, not even a sign of life. */
  readonly silenceMs: number;
  /** Signs of life arrive, such as comments, but nothing of the answer. */
  readonly stallMs: number;
  /** The whole call; null: no limit. */
  readonly totalMs: number | null;
}

/** The longest delay a timer takes; a longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Ends a model call that has gone silent or takes too long. `signal` is aborted then (or when the
 * caller's is), and `failure` says why. Dispose it when the call is over.
 */
export class Watchdog {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #limits: CallLimits;
  readonly #started = performance.now();
  #lastByte = this.#started;
  #lastProgress = this.#started;
  #alarm: Disposable | undefined;
  #failure: BubError | undefined;

  constructor(limits: CallLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#arm();
  }

  /** Why the watchdog ended the call; undefined while it did not. */
  get failure(): BubError | undefined {
    return this.#failure;
  }

  /** Something arrived. */
  alive(): void {
    this.#lastByte = performance.now();
  }

  /** A piece of the answer arrived. */
  progress(): void {
    this.#lastProgress = this.#lastByte = performance.now();
  }

  [Symbol.dispose](): void {
    this.#alarm?.[Symbol.dispose]();
  }

  /** One timer for the nearest limit: arrivals only note the time, which costs next to nothing. */
  #arm(): void {
    const { silenceMs, stallMs, totalMs } = this.#limits;
    const due = Math.min(
      this.#lastByte + silenceMs,
      this.#lastProgress + stallMs,
      totalMs === null ? Infinity : this.#started + totalMs,
    );
    const delay = Math.min(Math.max(due - performance.now(), 0), LONGEST_DELAY);
    this.#alarm = alarm(delay, () => this.#check());
  }

  #check(): void {
    const now = performance.now();
    const { silenceMs, stallMs, totalMs } = this.#limits;
    if (totalMs !== null && now - this.#started >= totalMs) {
      this.#end("timeout", `the model call took longer than the limit of ${seconds(totalMs)}`);
    } else if (now - this.#lastByte >= silenceMs) {
      this.#end("connection", `no data from the model for ${seconds(silenceMs)}`);
    } else if (now - this.#lastProgress >= stallMs) {
      this.#end("connection", `only signs of life and no answer for ${seconds(stallMs)}`);
    } else {
      this.#arm();
    }
  }

  #end(kind: "timeout" | "connection", message: string): void {
    this.#failure = new BubError(kind, message);
    // With the default reason: the adapters know no other as an abort.
    this.#controller.abort();
  }
}

function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
