/** What the person, or the program, at the other end did, or what came of it. */
export type ChatInput =
  | { readonly type: "line"; readonly text: string }
  /** Ctrl-C. */
  | { readonly type: "interrupt" }
  /** The session is being quit: its event says so. */
  | { readonly type: "quit" }
  /** There will be no more input. */
  | { readonly type: "end" }
  /** A signal other than Ctrl-C's asks the program to end with this code. */
  | { readonly type: "terminate"; readonly exitCode: number };

/** Values that some push and one takes, in order; once that one has stopped they are dropped. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #stream: ReadableStream<T>;
  #controller: ReadableStreamDefaultController<T> | undefined;

  constructor() {
    this.#stream = new ReadableStream<T>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => void (this.#controller = undefined),
    });
  }

  push(value: T): void {
    this.#controller?.enqueue(value);
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#stream.values();
  }
}

/** Something bytes can be read from: `Deno.stdin`. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number | null>;
}

/** Pushes the lines of `source`, the last one also without a line end, then its end. */
export async function readLines(
  source: ByteSource,
  push: (input: ChatInput) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let rest = "";
  for (;;) {
    const count = await source.read(buffer);
    rest += count === null
      ? decoder.decode()
      : decoder.decode(buffer.subarray(0, count), { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const text of lines) push({ type: "line", text });
    if (count === null) break;
  }
  if (rest !== "") push({ type: "line", text: rest });
  push({ type: "end" });
}
