import { type ErrorReport, failedOutput } from "../errors.ts";
import { terminalText } from "../tool/terminal_text.ts";

/** Escape codes of the few styles in use. */
const STYLES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;
export type Style = keyof typeof STYLES;

/** What text can be written to and knows how it may look there. */
export interface TextStream {
  /** Writes our own text. */
  write(text: string): Promise<void>;
  /** Text of strangers as this stream may show it. */
  safe(text: string): string;
  /** `text` in a style, where this stream shows styles. */
  paint(style: Style, text: string): string;
}

/** Writes one line that begins with the name of the program. */
export function complain(stream: TextStream, message: string, style: Style = "red"): Promise<void> {
  return stream.write(`${stream.paint(style, "bub:")} ${stream.safe(message)}\n`);
}

/** Tells why a turn or a command failed: the output it had until then, and below it one line. */
export function complainOf(stream: TextStream, error: ErrorReport): Promise<void> {
  const output = failedOutput(error);
  if (output !== "") {
    void stream.write(`${stream.safe(output)}${output.endsWith("\n") ? "" : "\n"}`);
  }
  return complain(stream, error.message);
}

/** Bytes that are written at once. */
const BUFFER_BYTES = 64 * 1024;

/** Where a stream's bytes go: `Deno.stdout`, `Deno.stderr`. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
  isTerminal(): boolean;
}

/**
 * One output of the program: what is written comes out whole and in order, also where the reader is
 * slow. Writing never fails; what went wrong is in `failure`, and later writes are dropped.
 */
export class OutputStream implements TextStream {
  readonly isTerminal: boolean;
  /** Whether styles are printed; decided for each stream by itself. */
  readonly isColored: boolean;
  /** Aborted when the stream failed, with the error as reason: nobody reads any more. */
  readonly failed: AbortSignal;
  readonly #sink: ByteSink;
  readonly #failing = new AbortController();
  #pending = "";
  #writing: Promise<void> | undefined;

  constructor(sink: ByteSink, env: Readonly<Record<string, string>>) {
    this.#sink = sink;
    this.isTerminal = sink.isTerminal();
    this.isColored = this.isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
    this.failed = this.#failing.signal;
  }

  /** What went wrong; undefined: nothing. */
  get failure(): unknown {
    return this.failed.reason;
  }

  /** Writes our own text; resolves when it and all before it is out, or was dropped. */
  write(text: string): Promise<void> {
    if (this.failed.aborted) return Promise.resolve();
    this.#pending += text;
    this.#writing ??= this.#drain();
    return this.#writing;
  }

  /** Resolves when all that was written is out, or was dropped. */
  flush(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  safe(text: string): string {
    return this.isTerminal ? terminalText(text) : text;
  }

  paint(style: Style, text: string): string {
    return this.isColored && text !== "" ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
  }

  async #drain(): Promise<void> {
    const encoder = new TextEncoder();
    // One buffer for all pieces: what a long output leaves for the collector would be its own size.
    const buffer = new Uint8Array(Math.max(16, Math.min(BUFFER_BYTES, 3 * this.#pending.length)));
    try {
      while (this.#pending !== "") {
        const { read, written } = encoder.encodeInto(this.#pending, buffer);
        this.#pending = this.#pending.slice(read);
        for (let sent = 0; sent < written;) {
          sent += await this.#sink.write(buffer.subarray(sent, written));
        }
      }
    } catch (reason) {
      this.#pending = "";
      this.#failing.abort(reason);
    } finally {
      this.#writing = undefined;
    }
  }
}

/** Both outputs of the program. */
export class Console {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** How much is told (`BUB_VERBOSE`, `-v`), from the settings once they are known. */
  verbosity = 0;

  constructor(stdout: ByteSink, stderr: ByteSink, env: Readonly<Record<string, string>>) {
    this.stdout = new OutputStream(stdout, env);
    this.stderr = new OutputStream(stderr, env);
  }

  /** One line on standard error that begins with the name of the program. */
  complain(message: string, style?: Style): Promise<void> {
    return complain(this.stderr, message, style);
  }

  /** Resolves when all output is out. */
  async flush(): Promise<void> {
    await Promise.all([this.stdout.flush(), this.stderr.flush()]);
  }
}
