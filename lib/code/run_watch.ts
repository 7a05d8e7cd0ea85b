import type { HelperOutput } from "./helper_output.ts";
import { HELPER_EXITS, type HelperExit, PRINT_START, type StartOptions } from "./protocol.ts";

/** Milliseconds between two looks at time and memory. */
const WATCH_MS = 15;

/** Messages after which they are looked at all the same: a flood of them can hold a timer up. */
const WATCH_MESSAGES = 256;

/** Milliseconds that the host has to read the rest of a run that is ended here. */
const DRAIN_MS = 100;

/** Ends the helper when its run takes more than it may. */
export class RunWatch {
  readonly #out: HelperOutput;
  readonly #exit: (code: number) => void;
  #limits: StartOptions | undefined;
  #startedAt = 0;
  #idleBytes = 0;
  #messages = 0;
  #printedUnits = 0;
  #ending = false;

  /** Calls `exit` with one of `HELPER_EXITS` when what was said so far has gone out. */
  constructor(out: HelperOutput, exit: (code: number) => void) {
    this.#out = out;
    this.#exit = exit;
  }

  start(limits: StartOptions): void {
    this.#limits = limits;
    this.#startedAt = performance.now();
    this.#idleBytes = Deno.memoryUsage().rss;
    setInterval(() => this.#check(limits), WATCH_MS);
  }

  /** Whether a message of the guest may go on to the host. */
  allows(message: string): boolean {
    const limits = this.#limits;
    if (limits === undefined || this.#ending) return false;
    if (message.startsWith(PRINT_START)) this.#printedUnits += message.length;
    if (this.#printedUnits > limits.floodUnits) this.#end("output");
    if (++this.#messages % WATCH_MESSAGES === 0) this.#check(limits);
    return !this.#ending;
  }

  #check({ memoryBytes, timeoutMs }: StartOptions): void {
    if (Deno.memoryUsage().rss - this.#idleBytes > memoryBytes) this.#end("memory");
    if (performance.now() - this.#startedAt > timeoutMs) this.#end("timeout");
  }

  #end(why: HelperExit): void {
    if (this.#ending) return;
    this.#ending = true;
    const exit = () => this.#exit(HELPER_EXITS[why]);
    setTimeout(exit, DRAIN_MS);
    this.#out.drained().then(exit);
  }
}
