/** Resolves when the first of `promises` does, or `signal` is aborted; rejects as the first does. */
export async function settledOrAborted(
  promises: readonly Promise<unknown>[],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([...promises, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
