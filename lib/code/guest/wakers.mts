import { isPromise } from "node:util/types";
import { apply, create, defineProperty } from "./primordials.mts";

/** The longest time a timer can take; the runtime fires at once when it is given more. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const { clearTimeout, setInterval, setTimeout, WebAssembly, crypto } = globalThis;
const { then } = Promise.prototype;

type Handler = (...args: readonly unknown[]) => void;
type Native = typeof setTimeout | typeof setInterval;

/** What may wake code that waits, besides the answers to its calls. */
export class Wakers {
  /** By the numbers that the code has of them. */
  readonly #timers: Record<number, ReturnType<typeof setTimeout>> = create(null);
  #lastTimer = 0;
  #count = 0;

  /** How many timers, and tasks of the runtime, are under way. */
  get count(): number {
    return this.#count;
  }

  /** Puts functions that count in the place of the runtime's own. */
  install(): void {
    const stop = (id: number) => this.#stop(id);
    Object.assign(globalThis, {
      setTimeout: (handler: Handler, ms?: number, ...args: unknown[]) =>
        this.#start(setTimeout, () => apply(handler, undefined, args), ms),
      setInterval: (handler: Handler, ms?: number, ...args: unknown[]) =>
        this.#start(setInterval, () => apply(handler, undefined, args), ms),
      clearTimeout: stop,
      clearInterval: stop,
    });
    const subtle = Object.getPrototypeOf(crypto.subtle);
    for (const name of Object.getOwnPropertyNames(subtle)) {
      if (name !== "constructor") this.#countCalls(subtle, name);
    }
    for (const name of ["compile", "instantiate"]) this.#countCalls(WebAssembly, name);
  }

  #start(native: Native, handler: () => void, ms: number = 0): number {
    const id = ++this.#lastTimer;
    const fire = () => {
      if (native === setTimeout) this.#stop(id);
      handler();
    };
    this.#count++;
    this.#timers[id] = native(fire, ms <= MAX_DELAY_MS ? ms : ms > 0 ? MAX_DELAY_MS : 0);
    return id;
  }

  #stop(id: number): void {
    const timer = this.#timers[id];
    if (timer === undefined) return;
    delete this.#timers[id];
    this.#count--;
    clearTimeout(timer);
  }

  /** Counts what a method that returns promises has under way. */
  #countCalls(object: object, name: string): void {
    const method: (...args: unknown[]) => unknown = Reflect.get(object, name);
    const ended = () => {
      this.#count--;
    };
    const start = (result: unknown) => {
      if (!isPromise(result)) return;
      this.#count++;
      apply(then, result, [ended, ended]);
    };
    const value = function (this: unknown, ...args: unknown[]): unknown {
      const result = apply(method, this, args);
      start(result);
      return result;
    };
    defineProperty(object, name, { value });
  }
}
