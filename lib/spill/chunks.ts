/** The most bytes of UTF-8 in one chunk of a stored result. */
export const CHUNK_BYTES = 16 * 1024;

/** `text` in pieces of at most `CHUNK_BYTES` bytes of UTF-8; no character is split. */
export function* utf8Chunks(text: string): Generator<string, void, void> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(CHUNK_BYTES);
  for (let start = 0; start < text.length;) {
    // One unit more than can fit, so that a pair of surrogates is whole wherever the bytes end.
    const { read } = encoder.encodeInto(text.slice(start, start + CHUNK_BYTES + 1), bytes);
    yield text.slice(start, start + read);
    start += read;
  }
}
