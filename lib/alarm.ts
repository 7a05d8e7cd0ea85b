/**
 * Calls `ring` once, `ms` milliseconds from now (at most 2^31 - 1), unless it is disposed of before;
 * until then the program is kept from ending. What `setTimeout` does too, whose first call loads
 * Node's timers: 4 ms and 2 MiB of every start. One that was disposed of still takes 700 bytes until
 * its time has come.
 */
export function alarm(ms: number, ring: () => void): Disposable {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener("abort", ring, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", ring) };
}
