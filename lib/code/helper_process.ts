import { alarm } from "../alarm.ts";
import { BubError } from "../errors.ts";
import { spawnHelper } from "./helper_command.ts";
import { LineSplitter } from "./line_splitter.ts";
import { type HelperMessage, MAX_LINE_UNITS, parseHelperLine } from "./protocol.ts";

/** Milliseconds that a helper has to start; on a busy machine 50 can become many times as much. */
const START_LIMIT_MS = 30_000;

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
  #waiting = "";
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

  /** Sends a line, with others of the same moment in one write. A process that ended takes none. */
  send(line: string): void {
    if (this.#waiting === "") queueMicrotask(() => this.#flush());
    this.#waiting += `${line}\n`;
  }

  /** Ends the process at once. */
  kill(): void {
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

  #flush(): void {
    const bytes = this.#encoder.encode(this.#waiting);
    this.#waiting = "";
    this.#input.write(bytes).catch(() => {});
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
