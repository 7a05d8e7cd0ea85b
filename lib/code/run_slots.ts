import { settledOrAborted } from "../settled.ts";

/** Lets so many runs in at once; the others wait, in the order they came. */
export class RunSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when there is room, which disposing gives back; undefined: `signal` was aborted. */
  async take(signal: AbortSignal): Promise<Disposable | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free--;
    else if (!await this.#wait(signal)) return undefined;
    return { [Symbol.dispose]: () => this.#giveBack() };
  }

  async #wait(signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await settledOrAborted([promise], signal);
    const place = this.#waiting.indexOf(resolve);
    if (place !== -1) {
      this.#waiting.splice(place, 1);
      return false;
    }
    if (!signal.aborted) return true;
    this.#giveBack();
    return false;
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
