import { dropOfMap, eachOfMap, putInMap } from "./primordials.mts";

/** Seconds that a rejection may wait for who handles it: the run may be killed before its end. */
const PATIENCE_SECONDS = 2;

const { performance } = globalThis;

/** Takes what nothing handled: in all those seconds, or until the end, for which they are 0. */
type Tell = (reason: unknown, seconds: number) => void;

interface Rejection {
  readonly reason: unknown;
  /** Milliseconds on the clock of the run. */
  readonly at: number;
}

/** The promises of one run that were rejected and that nothing handles yet. Each is told once. */
export class Rejections {
  readonly #open = new Map<object, Rejection>();
  readonly #tell: Tell;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  add(promise: object, reason: unknown): void {
    putInMap(this.#open, promise, { reason, at: performance.now() });
  }

  /** What was awaited after it had failed has its handler late, and is no news. */
  drop(promise: object): void {
    dropOfMap(this.#open, promise);
  }

  /** Tells those that waited too long. */
  tellOld(): void {
    this.#tellUntil(performance.now() - PATIENCE_SECONDS * 1000, PATIENCE_SECONDS);
  }

  tellAll(): void {
    this.#tellUntil(Infinity, 0);
  }

  #tellUntil(time: number, seconds: number): void {
    eachOfMap(this.#open, ({ reason, at }, promise) => {
      if (at > time) return;
      this.drop(promise);
      this.#tell(reason, seconds);
    });
  }
}
