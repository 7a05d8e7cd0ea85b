import { BubError, type ErrorKind } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Bounds } from "./bounds.ts";
import type { FetchResult, FileStat, FolderEntry } from "./environment.ts";
import type { SpawnRequest } from "./launcher.ts";

/** The first message to the Worker of a scope. */
export interface ScopeSetup {
  readonly bounds: Bounds;
  /** The proxy variables of the process. */
  readonly proxies: Readonly<Record<string, string>>;
}

/** `Headers`, which cannot be cloned. */
export type HeaderList = [name: string, value: string][];

/** A question that an operation asks on its way, as `[what it asks, what it is told]`. */
type Question<Asked, Told> = readonly [asked: Asked, told: Told];

/**
 * What the Worker does, by name: arguments, result, and what it asks for on its way. Paths come
 * twice, absolute and as the caller wrote them.
 */
export interface ScopeOperations {
  readonly stat: Operation<[path: string, given: string], FileStat>;
  readonly listFolder: Operation<[path: string, given: string], readonly FolderEntry[]>;
  readonly readFile: Operation<
    [path: string, given: string, maxBytes: number],
    Uint8Array<ArrayBuffer>
  >;
  readonly writeFile: Operation<[path: string, given: string, data: Uint8Array], void>;
  /** Asks what the file's bytes shall become. */
  readonly updateFile: Operation<
    [path: string, given: string],
    void,
    Question<Uint8Array<ArrayBuffer>, Uint8Array>
  >;
  /** Asks for the addresses of host names. */
  readonly fetch: Operation<
    [url: string, headers: HeaderList, maxBytes: number],
    Omit<FetchResult, "headers"> & { readonly headers: HeaderList },
    Question<string, readonly string[]>
  >;
  /** The number of the process. */
  readonly spawn: Operation<[request: SpawnRequest], number>;
  /** The exit code of a process that was spawned, once it has ended. */
  readonly exit: Operation<[pid: number], number>;
}

interface Operation<Args extends readonly unknown[], Result, Asks = Question<never, never>> {
  readonly args: Args;
  readonly result: Result;
  readonly asks: Asks;
}

export type OperationName = keyof ScopeOperations;

/** To the Worker, after the setup. */
export type ScopeRequest =
  | {
    readonly type: "call";
    readonly id: number;
    readonly name: OperationName;
    readonly args: readonly unknown[];
  }
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  /** Nobody waits for the call any more. */
  | { readonly type: "abort"; readonly id: number };

/** From the Worker. Of one call at most one question is open. */
export type ScopeReply =
  | { readonly type: "done"; readonly id: number; readonly value: unknown }
  | { readonly type: "failed"; readonly id: number; readonly error: ErrorRecord }
  | { readonly type: "question"; readonly id: number; readonly value: unknown };

/** An error on its way between threads, where its class would be lost. */
export interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  /** Those of a `BubError`. */
  readonly kind?: ErrorKind;
  readonly details?: JsonObject | undefined;
}

export function recordError(thrown: unknown): ErrorRecord {
  if (thrown instanceof BubError) {
    const { name, message, kind, details } = thrown;
    return { name, message, kind, details };
  }
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: "Error", message: String(thrown) };
}

/** The error that a record was made of: a `BubError`, one of Deno's, a `TypeError` or an `Error`. */
export function reviveError({ name, message, kind, details }: ErrorRecord): Error {
  if (kind !== undefined) return new BubError(kind, message, { details });
  const classes: Readonly<Record<string, new (message: string) => Error>> = {
    ...Deno.errors,
    TypeError,
  };
  return new (classes[name] ?? Error)(message);
}
