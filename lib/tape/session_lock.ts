import { BubError, toBubError } from "../errors.ts";
import { settledOrAborted } from "../settled.ts";
import { openPrivateFile } from "./private_file.ts";

/** Milliseconds between two looks at a lock that is taken: doubling from the first to the last. */
const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 100;

export interface SessionLockOptions {
  /** Ends the waiting, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called once, when the lock is not free at once. */
  readonly onWait?: () => void;
}

/**
 * Waits until no other turn holds the lock file at `path`, in this process or any other, and takes
 * it; dispose of the answer to let go. The lock is a `flock`, so it ends with the process that holds
 * it, however that ends. Looks again and again in place of one blocking call, which nothing could
 * interrupt. Throws `storage` when the file cannot be made.
 */
export async function acquireSessionLock(
  path: string,
  { signal, onWait = () => {} }: SessionLockOptions,
): Promise<Disposable> {
  let pause = 0;
  for (;;) {
    signal.throwIfAborted();
    const lock = trySessionLock(path);
    if (lock !== null) return lock;
    if (pause === 0) onWait();
    pause = Math.min(pause * 2 || FIRST_PAUSE_MS, LAST_PAUSE_MS);
    await delay(pause, signal);
  }
}

/**
 * Session locks for a process that runs many turns: those of one session get theirs in the order
 * they asked for it, the next one as soon as the last lets go.
 */
export class SessionLocks {
  /** For each path, what settles when the last in the queue has let go. */
  readonly #queues = new Map<string, Promise<void>>();
  readonly #acquire: typeof acquireSessionLock;

  /** @param acquire Holds off other processes, where any can know the session. */
  constructor(acquire: typeof acquireSessionLock = acquireSessionLock) {
    this.#acquire = acquire;
  }

  /** As `acquireSessionLock`. */
  async acquire(path: string, options: SessionLockOptions): Promise<Disposable> {
    const before = this.#queues.get(path);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    this.#enqueue(path, before === undefined ? released : before.then(() => released));
    try {
      if (before !== undefined) {
        options.onWait?.();
        await settledOrAborted([before], options.signal);
        options.signal.throwIfAborted();
      }
      const lock = await this.#acquire(
        path,
        before === undefined ? options : { signal: options.signal },
      );
      return {
        [Symbol.dispose]: () => {
          lock[Symbol.dispose]();
          release();
        },
      };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  #enqueue(path: string, end: Promise<void>): void {
    this.#queues.set(path, end);
    end.then(() => {
      if (this.#queues.get(path) === end) this.#queues.delete(path);
    });
  }
}

/**
 * The lock file at `path` as above, without waiting: null while another holds it. Throws `storage`
 * when the file cannot be made.
 */
export function trySessionLock(path: string): Disposable | null {
  let file: Deno.FsFile | undefined;
  let lock: Disposable | null = null;
  try {
    file = openPrivateFile(path);
    // Whoever lets go removes the file: a lock on one that is no longer there holds nobody off.
    if (file.tryLockSync(true) && isAt(file, path)) lock = heldLock(file, path);
    return lock;
  } catch (thrown) {
    const { kind, message } = toBubError(thrown, "storage");
    throw new BubError(kind, `the session cannot be locked with ${path}: ${message}`, {
      cause: thrown,
    });
  } finally {
    if (lock === null) file?.close();
  }
}

function heldLock(file: Deno.FsFile, path: string): Disposable {
  let held = true;
  return {
    [Symbol.dispose]() {
      if (!held) return;
      held = false;
      try {
        // Only tidiness: a file that stays is used again. Windows does not let go of open ones.
        if (Deno.build.os !== "windows") Deno.removeSync(path);
      } catch {
        // The folder may be gone, or read-only by now.
      }
      file.close();
    },
  };
}

function isAt(file: Deno.FsFile, path: string): boolean {
  try {
    return Deno.statSync(path).ino === file.statSync().ino;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return settledOrAborted([promise], signal).finally(() => clearTimeout(timer));
}
