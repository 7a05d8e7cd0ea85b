/// <reference lib="deno.worker" />
import { type OperationCall, type Operations, scopeOperations } from "./scope_operations.ts";
import { recordError, type ScopeReply, type ScopeRequest } from "./scope_protocol.ts";

// The entry of the Worker in which tools' operations run: it has the permissions of the scope and
// no others, so that Deno itself refuses what a fault in the checks here would let pass.

type Post = (reply: ScopeReply, transfer: Transferable[]) => void;

/** A call that is being served. */
class ServedCall implements OperationCall<readonly [unknown, never]> {
  readonly #controller = new AbortController();
  readonly #send: (question: unknown) => void;
  #answer: ((value: never) => void) | undefined;

  constructor(send: (question: unknown) => void) {
    this.#send = send;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async ask(question: unknown): Promise<never> {
    this.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const abort = () => reject(this.signal.reason);
    this.signal.addEventListener("abort", abort, { once: true });
    this.#answer = resolve;
    this.#send(question);
    try {
      return await promise;
    } finally {
      this.signal.removeEventListener("abort", abort);
    }
  }

  answer(value: unknown): void {
    this.#answer?.(value as never);
  }

  abort(): void {
    this.#controller.abort();
  }
}

/** Performs operations as they are called for. */
class OperationServer {
  readonly #operations: Operations;
  readonly #post: Post;
  readonly #calls = new Map<number, ServedCall>();

  constructor(operations: Operations, post: Post) {
    this.#operations = operations;
    this.#post = post;
  }

  async receive(request: ScopeRequest): Promise<void> {
    switch (request.type) {
      case "call":
        return await this.#serve(request);
      case "answer":
        return this.#calls.get(request.id)?.answer(request.value);
      case "abort":
        return this.#calls.get(request.id)?.abort();
    }
  }

  async #serve({ id, name, args }: Extract<ScopeRequest, { type: "call" }>): Promise<void> {
    const ask = (value: unknown) => this.#post({ type: "question", id, value }, buffers(value));
    const call = new ServedCall(ask);
    this.#calls.set(id, call);
    try {
      // The caller has seen to it that the arguments are those of the name.
      const operation = this.#operations[name] as (...args: unknown[]) => unknown;
      const value = await operation(call, ...args);
      this.#post({ type: "done", id, value }, buffers(value));
    } catch (thrown) {
      this.#post({ type: "failed", id, error: recordError(thrown) }, []);
    } finally {
      this.#calls.delete(id);
    }
  }
}

/** The memory that is handed over rather than copied: of bytes, and of a fetched body. */
function buffers(value: unknown): ArrayBuffer[] {
  const bytes = typeof value === "object" && value !== null && "body" in value ? value.body : value;
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

self.onmessage = ({ data }) => {
  const server = new OperationServer(scopeOperations(data), (reply, transfer) => {
    self.postMessage(reply, transfer);
  });
  self.onmessage = ({ data }) => void server.receive(data);
};
