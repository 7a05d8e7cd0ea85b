import { BubError } from "../errors.ts";
import { within } from "./deadline.ts";

/** The signals that ask the program to end, and their numbers. */
const NUMBERS = { SIGINT: 2, SIGHUP: 1, SIGQUIT: 3, SIGTERM: 15 } as const;
type EndSignal = keyof typeof NUMBERS;

/** Exit code of a program that `signal` ended. */
export function signalExitCode(signal: EndSignal): number {
  return 128 + NUMBERS[signal];
}

/** `deno task` passes a Ctrl-C on that the terminal sends too: so close together they are one. */
const ONE_CTRL_C_MS = 100;

/**
 * Listens for the signals that ask the program to end, while it is not disposed of. `onSignal` gets
 * the name and how many came before it.
 */
export class SignalWatch implements Disposable {
  readonly #listeners = new Map<EndSignal, () => void>();
  #count = 0;
  /** When the last Ctrl-C came. */
  #interrupted = -Infinity;

  constructor(onSignal: (signal: EndSignal, before: number) => void) {
    for (const signal of Object.keys(NUMBERS) as EndSignal[]) {
      const listener = () => {
        if (signal === "SIGINT" && this.#isEcho()) return;
        onSignal(signal, this.#count++);
      };
      try {
        Deno.addSignalListener(signal, listener);
        this.#listeners.set(signal, listener);
      } catch {
        // This system does not have it.
      }
    }
  }

  #isEcho(): boolean {
    const now = performance.now();
    if (now - this.#interrupted < ONE_CTRL_C_MS) return true;
    this.#interrupted = now;
    return false;
  }

  [Symbol.dispose](): void {
    for (const [signal, listener] of this.#listeners) Deno.removeSignalListener(signal, listener);
    this.#listeners.clear();
  }
}

/** How long a forced end may take, in milliseconds. */
const FORCED_MS = 500;

/** Turns the first signal into an abort; the second one forces the end, the third does not wait. */
export class Interruption implements Disposable {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Called by the second signal: what must be done even now. */
  onForce: () => Promise<unknown> = () => Promise.resolve();
  readonly #watch: SignalWatch;
  #exitCode: number | undefined;

  constructor(exit: (code: number) => never) {
    const abort = new AbortController();
    this.signal = abort.signal;
    this.#watch = new SignalWatch((signal, before) => {
      const code = signalExitCode(signal);
      this.#exitCode ??= code;
      if (before === 0) abort.abort(new BubError("interrupted", `interrupted by ${signal}`));
      else if (before === 1) void within(FORCED_MS, this.onForce()).finally(() => exit(code));
      else exit(code);
    });
  }

  /** 128 + N once signal N came. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}
