/** Takes the lock of that name, or waits for it until the signal is aborted. */
export type HoldLock = (
  name: string,
  options: { readonly signal: AbortSignal; readonly onWait: () => void },
) => Promise<Disposable>;

/**
 * The process as the owner of the tasks that it starts. It holds a lock while it lives, by which
 * other processes know it; the system lets go of it, however the process ends.
 */
export class TaskOwner implements Disposable {
  /** What the tape says of whose a task is. */
  readonly id = crypto.randomUUID();
  readonly #hold: HoldLock;
  #claim: Promise<Disposable> | undefined;
  #held: Disposable | undefined;

  constructor(hold: HoldLock) {
    this.#hold = hold;
  }

  /** Before the first task is started. */
  async claim(): Promise<void> {
    const { signal } = new AbortController();
    this.#claim ??= this.#hold(lockName(this.id), { signal, onWait() {} });
    try {
      this.#held = await this.#claim;
    } catch (thrown) {
      this.#claim = undefined;
      throw thrown;
    }
  }

  /** Whether tasks of this owner may still end by themselves; in doubt they may. */
  async lives(id: string): Promise<boolean> {
    if (id === this.id) return true;
    const taken = new AbortController();
    const onWait = () => taken.abort();
    try {
      using _free = await this.#hold(lockName(id), { signal: taken.signal, onWait });
      return false;
    } catch {
      return true;
    }
  }

  [Symbol.dispose](): void {
    this.#held?.[Symbol.dispose]();
  }
}

function lockName(id: string): string {
  return `tasks-${id}`;
}
