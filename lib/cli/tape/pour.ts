/** Characters that are collected before they are written. */
const BATCH = 64 * 1024;

/**
 * Hands text on in big pieces, each once the one before it is out, so that a slow reader costs no
 * memory. Ends early, and in order, when `signal` is aborted.
 */
export async function pour(
  pieces: AsyncIterable<string>,
  write: (text: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let batch = "";
  for await (const piece of pieces) {
    if (signal.aborted) return;
    batch += piece;
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = "";
  }
  if (!signal.aborted && batch !== "") await write(batch);
}
