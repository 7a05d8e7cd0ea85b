import { alarm } from "../alarm.ts";

/** How long a pipe may stay silent before it counts as left open by accident, in milliseconds. */
export const INPUT_WAIT_MS = 200;

/** The wait is counted in steps: while modules load nothing is read, and that is not silence. */
const STEP_MS = 10;

export interface InputOptions {
  /** Milliseconds until the first byte or the end must have come; null: any time. */
  readonly waitMs: number | null;
  readonly signal: AbortSignal;
}

/**
 * Reads `source` to its end as UTF-8. Null when nothing came within the wait; a byte that comes
 * later is then lost. Rejects with the signal's reason when it aborts.
 */
export async function readInput(
  source: { read(buffer: Uint8Array): Promise<number | null> },
  { waitMs, signal }: InputOptions,
): Promise<string | null> {
  signal.throwIfAborted();
  const gaveUp = Promise.withResolvers<null>();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  let left = waitMs ?? Infinity;
  const step = () => {
    left -= STEP_MS;
    if (left <= 0) gaveUp.resolve(null);
    else wait = alarm(STEP_MS, step);
  };
  let wait: Disposable | undefined = waitMs === null ? undefined : alarm(STEP_MS, step);
  try {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(64 * 1024);
    let text = "";
    let first = true;
    for (;;) {
      const read = source.read(buffer).then((count) => ({ count }));
      const came = await Promise.race([read, aborted.promise, ...(first ? [gaveUp.promise] : [])]);
      if (came === null) return null;
      wait?.[Symbol.dispose]();
      first = false;
      if (came.count === null) return text + decoder.decode();
      text += decoder.decode(buffer.subarray(0, came.count), { stream: true });
    }
  } finally {
    wait?.[Symbol.dispose]();
    signal.removeEventListener("abort", abort);
  }
}
