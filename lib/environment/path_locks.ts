/** One queue of work a file, so that no two changes of it overlap; different files don't wait. */
export class PathLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work under `key` has settled, whether well or badly. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#tails.get(key) ?? Promise.resolve();
    const mine = earlier.then(() => work(), () => work());
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}
