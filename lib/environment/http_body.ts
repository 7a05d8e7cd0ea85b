import { BubError } from "../errors.ts";

/** A body cut at a number of bytes. */
export interface BoundedBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly truncated: boolean;
}

/**
 * The decoded body of `response`, at most `maxBytes` of it; then reading stops and the connection
 * is dropped. The bound is on decoded bytes: a few hundred compressed kilobytes can hold gigabytes.
 * Throws when the content encoding is damaged or unknown, or the body ends before its time.
 */
export async function readBody(response: Response, maxBytes: number): Promise<BoundedBody> {
  const stream = await decodedStream(response);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop cancels the stream.
    if (length > maxBytes) break;
  }
  const body = new Uint8Array(Math.min(length, maxBytes));
  let offset = 0;
  for (const chunk of chunks) {
    const rest = chunk.subarray(0, body.length - offset);
    body.set(rest, offset);
    offset += rest.length;
  }
  return { body, truncated: length > maxBytes };
}

/** Deno undoes gzip and br, the two it asks for; some servers send deflate unasked. */
async function decodedStream(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoding = (response.headers.get("content-encoding") ?? "").trim().toLowerCase();
  const stream = response.body ?? new ReadableStream({ start: (c) => c.close() });
  if (["", "identity", "gzip", "br"].includes(encoding)) return stream;
  if (encoding === "deflate") return stream.pipeThrough(new DecompressionStream("deflate"));
  if (encoding === "x-gzip") return stream.pipeThrough(new DecompressionStream("gzip"));
  await stream.cancel();
  throw new BubError("tool", `the body has the content encoding ${encoding}, which is not known`);
}
