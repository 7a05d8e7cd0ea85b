import type { JsonObject } from "../../lib/json.ts";
import type { Answer, RecordedRequest, Script } from "./answer.ts";
import { eventStream, type StreamEvent } from "./event_stream.ts";

/** What differs from API to API. */
export interface Dialect {
  /** The events of an answer that is streamed. */
  events(answer: Answer, request: RecordedRequest): readonly StreamEvent[];
  /** Why a strict server refuses this request; undefined: it does not. */
  objection(request: RecordedRequest): string | undefined;
  /** The body of a refusal. */
  refusal(message: string): JsonObject;
}

/** A running fake provider; `await using` it. */
export interface FakeProvider extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/v1`: what to give as API base. */
  readonly base: string;
  readonly port: number;
  /** Every request so far, refused ones included. */
  readonly requests: readonly RecordedRequest[];
  /** Requests whose connection the client closed before the answer had ended. */
  readonly aborted: number;
  /** Resolves when a client has closed a connection early for the nth time. */
  whenAborted(n?: number): Promise<void>;
  /** Resolves when the nth request has arrived. */
  whenRequested(n?: number): Promise<void>;
  /** Adds answers to the script; only for a script that is a list. */
  push(...answers: Answer[]): void;
}

export interface FakeProviderOptions {
  /** A list is used up one by one; a request beyond it gets status 500. */
  readonly script: Script;
  /** @default {0, any free port} */
  readonly port?: number;
}

/** Starts a server on 127.0.0.1 that answers every POST as the script says, and GET with the requests. */
export function startProvider(
  { script, port = 0 }: FakeProviderOptions,
  dialect: Dialect,
): FakeProvider {
  const requests: RecordedRequest[] = [];
  const answers = typeof script === "function" ? [] : [...script];
  const arrived = new Milestones();
  const aborted = new Milestones();
  const closed = () => aborted.reach();
  let used = 0;
  const stop = new AbortController();
  const listen = { port, hostname: "127.0.0.1", signal: stop.signal, onListen() {} };
  const server = Deno.serve(listen, async (request) => {
    if (request.method === "GET") return Response.json(requests);
    const at = performance.now();
    const recorded = await record(request, at);
    requests.push(recorded);
    arrived.reach();
    const objection = dialect.objection(recorded);
    if (objection !== undefined) {
      return Response.json(dialect.refusal(objection), { status: 400 });
    }
    const n = used++;
    const answer = typeof script === "function" ? await script(recorded, n) : answers[n];
    if (answer === undefined) {
      const message = `the script has ${answers.length} answers and this is request ${n + 1}`;
      return Response.json(dialect.refusal(message), { status: 500 });
    }
    return respond(answer, recorded, dialect, closed);
  });
  return {
    port: server.addr.port,
    base: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    get aborted() {
      return aborted.count;
    },
    whenAborted: (n = 1) => aborted.when(n),
    whenRequested: (n = 1) => arrived.when(n),
    push: (...more) => void answers.push(...more),
    // Closes open connections too: `shutdown` would wait for answers that hang.
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return server.finished;
    },
  };
}

/** Counts something, and tells who waits for a count. */
class Milestones {
  count = 0;
  readonly #waiting: { readonly n: number; readonly resolve: () => void }[] = [];

  reach(): void {
    this.count++;
    for (const { n, resolve } of this.#waiting) if (this.count >= n) resolve();
  }

  when(n: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.count >= n) resolve();
    else this.#waiting.push({ n, resolve });
    return promise;
  }
}

async function record(request: Request, at: number): Promise<RecordedRequest> {
  const url = new URL(request.url);
  const text = await request.text();
  return {
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(request.headers),
    body: text === "" ? {} : JSON.parse(text),
    size: new TextEncoder().encode(text).length,
    at,
  };
}

function respond(
  answer: Answer,
  request: RecordedRequest,
  dialect: Dialect,
  closed: () => void,
): Response {
  const { status = 200, body, headers = {} } = answer;
  if (body !== undefined || status !== 200) {
    const isText = typeof body === "string" || body === undefined;
    return new Response(isText ? body : JSON.stringify(body), {
      status,
      headers: { ...(isText ? {} : { "content-type": "application/json" }), ...headers },
    });
  }
  const events = answer.raw === undefined ? dialect.events(answer, request) : [];
  return new Response(eventStream(events, answer, closed), {
    headers: { "content-type": "text/event-stream", ...headers },
  });
}
