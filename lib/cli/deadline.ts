import { alarm } from "../alarm.ts";

/** Resolves when `work` has settled, however, or after `ms` milliseconds. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  using _alarm = alarm(ms, late.resolve);
  await Promise.race([Promise.allSettled([work]), late.promise]);
}

/** The longest time a timer can wait, in milliseconds; longer ones would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Aborts with a `TimeoutError` after `seconds`; undefined for no limit, or one beyond 24 days. */
export function timeLimit(seconds: number | undefined): AbortSignal | undefined {
  if (seconds === undefined || seconds * 1000 > LONGEST_MS) return undefined;
  return AbortSignal.timeout(Math.ceil(seconds * 1000));
}
