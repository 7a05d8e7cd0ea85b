import { BubError } from "../errors.ts";
import {
  type OperationName,
  reviveError,
  type ScopeOperations,
  type ScopeReply,
  type ScopeRequest,
  type ScopeSetup,
} from "./scope_protocol.ts";

export interface CallOptions<Name extends OperationName> {
  readonly signal?: AbortSignal | undefined;
  /** Answers what the operation asks; what it throws becomes the call's error. */
  readonly answer?: (
    asked: ScopeOperations[Name]["asks"][0],
  ) => ScopeOperations[Name]["asks"][1] | Promise<ScopeOperations[Name]["asks"][1]>;
}

/** A call under way. Its methods take what belongs to its operation, which only its id tells. */
interface OpenCall {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  answer?(asked: unknown): unknown;
}

/** Calls of the operations that the Worker at `url` performs, from start to end of that Worker. */
export class ScopeCalls implements Disposable {
  readonly #worker: Worker;
  readonly #open = new Map<number, OpenCall>();
  #count = 0;
  /** Why there will be no more results. */
  #end: BubError | undefined;

  /** Throws `NotCapable` where the process itself has less than `permissions`. */
  constructor(url: URL, permissions: Deno.PermissionOptions, setup: ScopeSetup) {
    this.#worker = new Worker(url, { type: "module", deno: { permissions } });
    this.#worker.onmessage = ({ data }: MessageEvent<ScopeReply>) => void this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(new BubError("internal", `the Worker of the scope failed: ${event.message}`));
    };
    this.#worker.postMessage(setup);
  }

  /**
   * Rejects with the operation's error, with the signal's reason as soon as that aborts, with
   * `internal` when the Worker fails, and with `interrupted` after disposal.
   */
  async call<Name extends OperationName>(
    name: Name,
    args: ScopeOperations[Name]["args"],
    { signal, ...asked }: CallOptions<Name> = {},
  ): Promise<ScopeOperations[Name]["result"]> {
    signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<ScopeOperations[Name]["result"]>();
    const abort = () => {
      this.#post({ type: "abort", id });
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#open.set(id, { resolve, reject, ...asked });
    try {
      this.#post({ type: "call", id, name, args });
      return await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#open.delete(id);
    }
  }

  [Symbol.dispose](): void {
    this.#stop(new BubError("interrupted", "the program is ending"));
  }

  async #receive(reply: ScopeReply): Promise<void> {
    const { id } = reply;
    const call = this.#open.get(id);
    if (call === undefined) return;
    switch (reply.type) {
      case "done":
        return call.resolve(reply.value);
      case "failed":
        return call.reject(reviveError(reply.error));
      case "question":
        try {
          this.#post({ type: "answer", id, value: await call.answer?.(reply.value) });
        } catch (error) {
          this.#post({ type: "abort", id });
          call.reject(error);
        }
    }
  }

  #post(request: ScopeRequest): void {
    this.#worker.postMessage(request);
  }

  #stop(reason: BubError): void {
    this.#end ??= reason;
    this.#worker.terminate();
    for (const { reject } of this.#open.values()) reject(reason);
  }
}
