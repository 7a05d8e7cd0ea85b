import { alarm } from "../alarm.ts";
import { BubError } from "../errors.ts";
import { spawnHelper } from "./helper_command.ts";
import { LineSplitter } from "./line_splitter.ts";
import { type HelperMessage, MAX_LINE_UNITS, parseHelperLine } from "./protocol.ts";

/** Milliseconds that a helper has to start; on a busy machine 50 can become many times as much. */
const START_LIMIT_MS = 30_000;

/** UTF-16 units of lines that go out in one write; a longer line goes alone. */
const WRITE_UNITS = 64 * 1024;

/** A line on its way. */
interface WaitingLine {
  readonly line: string;
  readonly written: () => void;
}

/** How a helper process ended. */
export interface HelperEnd {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  /** Whether it was killed because a line of it was longer than any may be. */
  readonly overlong: boolean;
}

/** Is told what a helper says after it was ready. */
export interface HelperListener {
  message(message: HelperMessage): void;
  /** The last that is told. */
  ended(end: HelperEnd): void;
}

/** The host's side of one helper process, which serves one run at most. */
export class HelperProcess {
  /** Resolves when a run can be sent; rejects with `tool` if it never can. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #encoder = new TextEncoder();
  readonly #ready = Promise.withResolvers<void>();
  #nonce: string | undefined;
  #listener: HelperListener | undefined;
  #waiting: WaitingLine[] = [];
  #writing = false;
  #isGone = false;

  /** Starts a process. Throws `permission` where that is not allowed, else `tool`. */
  constructor() {
    this.#child = spawnHelper();
    this.#input = this.#child.stdin.getWriter();
    this.ready = this.#whenReady();
    // One that was started ahead may fail before anybody asks for it.
    this.ready.catch(() => {});
    this.gone = this.#read();
  }

  /** Whether the process is known to have ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  listen(listener: HelperListener): void {
    this.#listener = listener;
  }

  /**
   * Sends a line after those before it, short ones of the same moment in one write. Resolves when
   * the process has taken it, or takes no more.
   */
  send(line: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ line, written: resolve });
    if (!this.#writing) queueMicrotask(() => this.#write());
    this.#writing = true;
    return promise;
  }

  /** Ends the process at once. */
  kill(): void {
    for (const { written } of this.#waiting.splice(0)) written();
    if (this.#isGone) return;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  }

  async #whenReady(): Promise<void> {
    using _limit = alarm(START_LIMIT_MS, () => this.kill());
    await this.#ready.promise;
  }

  /** Writes what waits, one piece after the other: a slow process makes lines wait, not copies. */
  async #write(): Promise<void> {
    for (let lines = this.#nextLines(); lines.length > 0; lines = this.#nextLines()) {
      const text = lines.map(({ line }) => `${line}\n`).join("");
      await this.#input.write(this.#encoder.encode(text)).catch(() => {});
      for (const { written } of lines) written();
    }
    this.#writing = false;
  }

  #nextLines(): readonly WaitingLine[] {
    let count = 0;
    for (let units = 0; count < this.#waiting.length && units < WRITE_UNITS; count++) {
      const { length } = this.#waiting[count]?.line ?? "";
      if (count > 0 && units + length > WRITE_UNITS) break;
      units += length;
    }
    return this.#waiting.splice(0, count);
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(MAX_LINE_UNITS);
    let overlong = false;
    for await (const chunk of this.#child.stdout) {
      if (!overlong) overlong = !lines.push(chunk, (line) => this.#take(line));
      if (overlong) this.kill();
    }
    const { code, signal } = await this.#child.status;
    this.#isGone = true;
    this.#input.close().catch(() => {});
    const how = signal ?? `exit code ${code}`;
    this.#ready.reject(new BubError("tool", `the sandbox for code did not start (${how})`));
    this.#listener?.ended({ code, signal, overlong });
  }

  /** The first line is the nonce. Lines without it, and those that say nothing, are dropped. */
  #take(line: string): void {
    if (this.#nonce === undefined) {
      this.#nonce = line;
      return;
    }
    if (!line.startsWith(this.#nonce)) return;
    const message = parseHelperLine(line.slice(this.#nonce.length));
    if (message?.type === "ready") this.#ready.resolve();
    else if (message !== undefined) this.#listener?.message(message);
  }
}
