import { requireReachable } from "../environment/granted.ts";
import type { BubError } from "../errors.ts";
import { ToolNameRepair } from "./tool_name_repair.ts";
import type { Watchdog } from "./watchdog.ts";

/** Changes the JSON body of a request before it leaves. */
export type BodyEdit = (body: Record<string, unknown>) => Record<string, unknown>;

export interface WireOptions {
  /** Extra parameters of every request's address. */
  readonly query: Readonly<Record<string, string>>;
  /** The change that is due now, or undefined when the body can leave as it is. */
  readonly edit: () => BodyEdit | undefined;
  /** The error for an answer that is no event stream. */
  readonly notAStream: (status: number, body: string) => BubError;
  /** Whether the stream is one of Chat Completions. */
  readonly chat: boolean;
}

/** How much is kept of an answer that is no event stream. */
const BODY_LIMIT = 64 * 1024;

/**
 * The fetch that the adapters use. It knows the call by its signal, which they hand through, tells
 * the call's watchdog of every byte, and catches answers that are no event stream (an error page
 * with status 200), which the adapters would take for an empty stream.
 */
export class Wire {
  readonly #calls = new WeakMap<AbortSignal, Watchdog>();
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** Ties the requests that carry the watchdog's signal to it. */
  watch(watchdog: Watchdog): void {
    this.#calls.set(watchdog.signal, watchdog);
  }

  /** A `fetch` for one adapter. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { query, edit, notAStream, chat } = this.#options;
    const watchdog = init?.signal ? this.#calls.get(init.signal) : undefined;
    const change = edit();
    const request = change !== undefined && typeof init?.body === "string"
      ? { ...init, body: JSON.stringify(change(JSON.parse(init.body))) }
      : init;
    requireReachable(new URL(input instanceof Request ? input.url : input));
    const response = await fetch(withQuery(input, query), request);
    watchdog?.alive();
    if (!response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const guard = new TransformStream(
      new EventStreamGuard({
        alive: () => watchdog?.alive(),
        notAStream: (text) => notAStream(status, text),
        chat,
      }),
    );
    // Deno 2.9 forgets the signal of a fetch at the next garbage collection once its Response is
    // let go of, and the body then runs on: the pipe holds on to it.
    const { signal } = init ?? {};
    const body = response.body.pipeThrough(guard, signal ? { signal } : {});
    return new Response(body, { status, statusText, headers });
  };
}

interface GuardOptions {
  readonly alive: () => void;
  readonly notAStream: (text: string) => BubError;
  readonly chat: boolean;
}

/** Passes an event stream through; see `Wire`. */
class EventStreamGuard implements Transformer<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  readonly #options: GuardOptions;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  readonly #repair = new ToolNameRepair();
  /** Undefined until the first byte that is no white space. */
  #isStream: boolean | undefined;
  /** The body when it is no stream; else the line that has not ended. */
  #pending = "";

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  transform(
    chunk: Uint8Array<ArrayBuffer>,
    controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): void {
    this.#options.alive();
    this.#isStream ??= looksLikeStream(chunk);
    if (this.#isStream && !this.#options.chat) {
      controller.enqueue(chunk);
      return;
    }
    this.#pending += this.#decoder.decode(chunk, { stream: true });
    if (this.#isStream === false) {
      this.#pending = this.#pending.slice(0, BODY_LIMIT);
      return;
    }
    const end = Math.max(this.#pending.lastIndexOf("\n"), this.#pending.lastIndexOf("\r")) + 1;
    if (end > 0) {
      const lines = this.#pending.slice(0, end);
      this.#pending = this.#pending.slice(end);
      controller.enqueue(this.#encoder.encode(this.#repaired(lines)));
    }
  }

  flush(controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    const rest = this.#pending + this.#decoder.decode();
    if (this.#isStream === false) throw this.#options.notAStream(rest);
    // Some servers leave out the blank line that ends the last event.
    controller.enqueue(this.#encoder.encode(`${this.#repaired(rest)}\n\n`));
  }

  #repaired(lines: string): string {
    return lines.includes('"tool_calls"')
      ? lines.replaceAll(/[^\r\n]+/g, (line) => this.#repair.line(line))
      : lines;
  }
}

/** Judged by the first byte that is no white space (JSON and HTML are none); undefined: none yet. */
function looksLikeStream(chunk: Uint8Array): boolean | undefined {
  const first = chunk.find((byte) => byte > 0x20);
  return first === undefined ? undefined : !"{[<".includes(String.fromCharCode(first));
}

function withQuery(
  input: string | URL | Request,
  query: Readonly<Record<string, string>>,
): string | URL | Request {
  const entries = Object.entries(query);
  if (entries.length === 0 || input instanceof Request) return input;
  const url = new URL(input);
  for (const [name, value] of entries) url.searchParams.set(name, value);
  return url;
}
