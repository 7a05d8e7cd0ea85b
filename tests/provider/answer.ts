import type { JsonObject, JsonValue } from "../../lib/json.ts";

/** A call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string;
  /** Text as a model writes it; an object is written as JSON; null and undefined: no arguments. */
  readonly arguments?: string | JsonObject | null;
  /** @default {"call_<n>", counted over the server's life} */
  readonly id?: string;
  /** Into how many pieces the arguments are cut. @default {2} */
  readonly pieces?: number;
}

/** How the bytes of an event stream are cut and framed. */
export interface Framing {
  /** `whole`: one chunk; `event`: one an event; `byte`: one a byte; a number: random cuts, seeded. */
  readonly cut?: "whole" | "event" | "byte" | number;
  /** @default {"\n"} */
  readonly newline?: "\n" | "\r\n" | "\r";
  /** `: keep-alive` comments, `event:`, `id:` and `retry:` lines, and `data:` without a space. */
  readonly noise?: boolean;
  /** A byte-order mark comes first. */
  readonly byteOrderMark?: boolean;
  /** The blank line behind the last event is left out. */
  readonly openEnd?: boolean;
}

/**
 * One answer of a fake provider. Everything is optional; `{ text: "hi" }` is a whole answer. Parts
 * go out in the order reasoning, text, calls, error, finish, usage.
 */
export interface Answer {
  /** Sent as `reasoning_content`, or as a thinking block with `signature`. */
  readonly reasoning?: string | readonly string[];
  /** The field of Chat Completions that carries the reasoning. @default {"reasoning_content"} */
  readonly reasoningField?: "reasoning_content" | "reasoning";
  /** Signature of the thinking block (Anthropic), or of the calls (Google). */
  readonly signature?: string;
  /** A list is sent as so many deltas. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** The provider's word; null: no reason ever comes. @default {what fits} */
  readonly finish?: string | null;
  /** Fields of the usage; null: `usage: null` in every chunk; "none": not sent. */
  readonly usage?: JsonObject | null | "none";
  /** Whether `[DONE]` (or `message_stop`) ends the stream. @default {true} */
  readonly done?: boolean;
  /** An error object (or text) in the stream, behind text and calls. */
  readonly error?: JsonValue;
  /** Data lines that are sent as they are, behind text and calls. */
  readonly data?: readonly string[];
  /** `cut`: the connection breaks behind the parts; `hang`: it stays open and silent. */
  readonly end?: "cut" | "hang";
  /** With `hang`: a comment every so many milliseconds. */
  readonly pingMs?: number;
  /** Milliseconds between events. @default {0} */
  readonly paceMs?: number;
  readonly framing?: Framing;
  /** A plain answer instead of a stream: status (200 with `body`), headers and body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | JsonValue;
  /** The bytes of the whole event stream, instead of everything above. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** An answer, or one that depends on the request (0 for the first of this server). */
export type Script =
  | readonly Answer[]
  | ((request: RecordedRequest, n: number) => Answer | Promise<Answer>);

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** The part behind `?`. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Bytes of the body. */
  readonly size: number;
  /** `performance.now()` at its arrival. */
  readonly at: number;
}

/** A text or a list of them as pieces; none for undefined. */
export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? [text] : text;
}

/** The arguments of a call as text; undefined when it has none. */
export function argumentsOf({ arguments: args }: ScriptedCall): string | undefined {
  if (args === undefined || args === null) return undefined;
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** `text` cut into `count` pieces of about the same length. */
export function cutText(text: string, count: number): readonly string[] {
  const length = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
