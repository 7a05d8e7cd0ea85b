import { Console, OutputStream } from "../../lib/cli/console.ts";

/** A sink that keeps what is written, `step` bytes at a time, and may be a terminal. */
export class Paper {
  readonly #chunks: Uint8Array[] = [];
  /** Thrown by the next write. */
  failure: Error | undefined;

  constructor(readonly terminal = false, readonly step = Infinity) {}

  isTerminal(): boolean {
    return this.terminal;
  }

  write(bytes: Uint8Array): Promise<number> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const taken = bytes.slice(0, this.step);
    this.#chunks.push(taken);
    return Promise.resolve(taken.length);
  }

  get text(): string {
    return new TextDecoder().decode(
      Uint8Array.from(this.#chunks.flatMap((chunk) => [...chunk])),
    );
  }
}

/** A console on two papers. */
export class PaperConsole extends Console {
  readonly out: Paper;
  readonly err: Paper;

  constructor({ out = new Paper(), err = new Paper(), env = {} }: {
    out?: Paper;
    err?: Paper;
    env?: Record<string, string>;
  } = {}) {
    super(out, err, env);
    this.out = out;
    this.err = err;
  }
}

/** A stream on a paper. */
export function paperStream(paper: Paper, env: Record<string, string> = {}): OutputStream {
  return new OutputStream(paper, env);
}
