import { BubError, toBubError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { durationSeconds, retryAfterSeconds } from "./retry_after.ts";

/** What is known of a failed call, whatever it was thrown as. */
export interface Refusal {
  /** HTTP status, also when it came inside a stream or a body. */
  readonly status: number | undefined;
  /** The provider's own word for the kind of failure, such as `insufficient_quota`. */
  readonly code: string;
  /** The provider's own sentence; may be empty. */
  readonly text: string;
  /** Seconds that the provider asks to wait. */
  readonly retryAfter: number | undefined;
  /** Whether an answer was being read, or nothing came back at all. */
  readonly broken: boolean;
  /** Whether the answer came and could not be read. */
  readonly malformed: boolean;
}

/** How much of a provider's text is worth showing. */
const TEXT_LIMIT = 600;

/** Finds the facts in what an adapter threw, or put into its stream as an error. */
export function readRefusal(thrown: unknown): Refusal {
  const failure = isJsonObject(thrown) ? thrown as Record<string, unknown> : {};
  const name = thrown instanceof Error ? thrown.name : "";
  if (name === "AI_TypeValidationError" && errorIn(failure.value) !== undefined) {
    return refusalFromBody(undefined, failure.value);
  }
  if (name === "AI_JSONParseError") {
    return { ...NOTHING, broken: true, text: `damaged data: ${shorten(String(failure.text))}` };
  }
  if (name === "AI_TypeValidationError") {
    const text = `unknown data: ${shorten(JSON.stringify(failure.value) ?? "")}`;
    return { ...NOTHING, malformed: true, text };
  }
  if (name === "AI_InvalidResponseDataError" && failure.data === undefined) {
    return { ...NOTHING, broken: true, text: "the answer broke off before its end" };
  }
  if (name === "AI_APICallError") return readApiCallError(failure, thrown as Error);
  if (thrown instanceof Error) {
    return name.startsWith("AI_")
      ? { ...NOTHING, malformed: true, text: shorten(thrown.message) }
      : { ...NOTHING, broken: true, text: shorten(deepestMessage(thrown)) };
  }
  return refusalFromBody(undefined, thrown);
}

const NOTHING: Refusal = {
  status: undefined,
  code: "",
  text: "",
  retryAfter: undefined,
  broken: false,
  malformed: false,
};

function readApiCallError(failure: Record<string, unknown>, thrown: Error): Refusal {
  const status = typeof failure.statusCode === "number" ? failure.statusCode : undefined;
  // Without a refusing status it is the connection that failed, before or during the answer.
  if (status === undefined || status < 400) {
    return { ...NOTHING, broken: true, text: shorten(deepestMessage(thrown)) };
  }
  const headers = new Headers();
  for (const [key, value] of Object.entries(failure.responseHeaders ?? {})) {
    headers.set(key, String(value));
  }
  return refusalFromBody(status, failure.responseBody, headers);
}

/** The facts in an error's body: JSON of any provider's shape, HTML, or plain text. */
export function refusalFromBody(
  status: number | undefined,
  body: unknown,
  headers: Headers = new Headers(),
): Refusal {
  const value = typeof body === "string" ? parsed(body) : body;
  const error = errorIn(value) ?? value;
  const fields: Record<string, unknown> = isJsonObject(error) ? error : {};
  const codes = [fields.code, fields.type, fields.status].filter((code) =>
    typeof code === "string" && code !== "error"
  );
  return {
    ...NOTHING,
    status: status ?? httpStatus(fields.statusCode) ?? httpStatus(fields.code) ??
      httpStatus(fields.status),
    code: codes.join(" "),
    text: shorten(textOf(error)),
    retryAfter: retryAfterSeconds(headers) ?? retryDelay(fields.details),
  };
}

/** The error object (or text) inside a body or a chunk of a stream. */
export function errorIn(value: unknown): unknown {
  if (Array.isArray(value)) return errorIn(value[0]);
  if (!isJsonObject(value)) return undefined;
  const response = isJsonObject(value.response) ? value.response.error : undefined;
  return value.error ?? response ?? undefined;
}

function textOf(error: unknown): string {
  if (typeof error === "string") return plainText(error);
  if (!isJsonObject(error)) return "";
  const { message, detail, error_description: description, metadata } = error;
  const own = [message, detail, description].map(sentence).find((text) => text !== "") ?? "";
  // OpenRouter puts what the provider behind it said into the metadata.
  const raw = isJsonObject(metadata) ? sentence(metadata.raw) : "";
  return raw === "" ? own || JSON.stringify(error) : `${own}: ${raw}`;
}

/** A message as text; servers built on FastAPI send a list of objects. */
function sentence(value: unknown): string {
  if (typeof value === "string") return plainText(value);
  if (value === undefined || value === null) return "";
  return JSON.stringify(value);
}

/** Text without HTML tags and line breaks. */
function plainText(text: string): string {
  const bare = /^\s*<(?:!doctype|html|head|body)/i.test(text)
    ? text.replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/gi, " ").replaceAll(/<[^>]*>/g, " ")
    : text;
  return bare.replaceAll(/\s+/g, " ").trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function httpStatus(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number < 600 ? number : undefined;
}

function retryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const seconds = isJsonObject(detail) ? durationSeconds(detail.retryDelay) : undefined;
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** The message at the bottom of the chain of causes: the others only say that something failed. */
function deepestMessage(error: Error): string {
  let deepest = error;
  while (deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest.message;
}

/**
 * A `BubError` of ours in the chain of causes (adapters wrap what our fetch throws), or a missing
 * Deno permission as one: neither is the provider's doing.
 */
export function ownError(thrown: unknown): BubError | undefined {
  let error = thrown;
  while (error instanceof Error) {
    if (error instanceof BubError) return error;
    if (error instanceof Deno.errors.NotCapable) return toBubError(error);
    error = error.cause;
  }
  return undefined;
}

function shorten(text: string): string {
  const characters = Array.from(text.slice(0, 2 * TEXT_LIMIT + 2));
  return characters.length > TEXT_LIMIT ? `${characters.slice(0, TEXT_LIMIT).join("")}…` : text;
}
