import { fromFileUrl } from "@std/path";
import type { Arrival } from "./model_server.ts";

/** The model server, running; disposing ends it. */
export class BenchModel implements AsyncDisposable {
  /** What to set as API base. */
  readonly base: string;
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: Deno.ChildProcess, lines: AsyncIterator<string>, port: string) {
    this.#child = child;
    this.#lines = lines;
    this.base = `http://127.0.0.1:${port}/v1`;
  }

  /** Starts the server; `flags` are those with which `deno` finds the modules. */
  static async start(flags: readonly string[]): Promise<BenchModel> {
    const server = fromFileUrl(new URL("model_server.ts", import.meta.url));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", "--frozen", ...flags, server],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const lines = linesOf(child.stdout);
    return new BenchModel(child, lines, await next(lines));
  }

  /** The next `count` requests, those that came already included. */
  async arrivals(count: number): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    while (arrivals.length < count) arrivals.push(JSON.parse(await next(this.#lines)));
    return arrivals;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stdin.close();
    await this.#lines.return?.();
    await this.#child.status;
  }
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new Error("the model server ended");
  return value;
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
