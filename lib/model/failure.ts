import { BubError, type ErrorKind } from "../errors.ts";
import { isContextOverflow } from "./overflow.ts";
import type { Refusal } from "./refusal.ts";
import { maskKeys } from "./secret.ts";

/** Who was asked, and what must not show in a message about it. */
export interface Asked {
  readonly provider: string;
  readonly model: string;
  /** Keys that were sent. */
  readonly keys: readonly string[];
  /** Added where a proxy may have failed in the server's place; may be empty. */
  readonly proxyNote?: string;
}

/** Statuses with which proxies refuse, or say that they cannot reach the server. */
const PROXY_STATUSES: readonly (number | undefined)[] = [403, 407, 502, 503, 504];

/** A failed model call as an error: its kind says what to do, its message what happened. */
export function modelFailure(refusal: Refusal, asked: Asked, cause?: unknown): BubError {
  const { status, retryAfter } = refusal;
  const { provider, model, keys } = asked;
  const kind = failureKind(refusal);
  const text = maskKeys(refusal.text, keys);
  const how = status === undefined ? "" : ` (status ${status})`;
  const note = kind === "connection" || PROXY_STATUSES.includes(status)
    ? asked.proxyNote ?? ""
    : "";
  const said = text === "" ? "" : `: ${text}`;
  const message = `${opening(kind, refusal, asked)}${how}${said}${note}`;
  return new BubError(kind, message, {
    details: { provider, model, status, retry_after: retryAfter },
    cause,
  });
}

function opening(kind: ErrorKind, refusal: Refusal, { provider, model }: Asked): string {
  switch (kind) {
    case "auth":
      return `${provider} refused the key`;
    case "rate_limit":
      return `${provider} limits the rate of requests`;
    case "context_overflow":
      return `the context is too long for ${provider}:${model}`;
    case "server":
      return `${provider} failed`;
    case "connection":
      return `the connection to ${provider} failed`;
    default:
      return refusal.malformed
        ? `${provider} sent an answer that cannot be read`
        : `${provider} refused the request`;
  }
}

function failureKind(refusal: Refusal): ErrorKind {
  const { status, code, text, broken, malformed, retryAfter } = refusal;
  if (broken) return "connection";
  if (malformed) return "model";
  const words = `${code} ${text}`.toLowerCase();
  if (isContextOverflow(status, words)) return "context_overflow";
  switch (status) {
    case 401:
      return "auth";
    case 403:
      return /moderat|flagged|content policy|safety/.test(words) ? "model" : "auth";
    case 408:
    case 425:
      return "connection";
    case 413:
      return "model";
    case 429:
      return isQuota(code, words, retryAfter) ? "model" : "rate_limit";
    case undefined:
      return kindByWords(words, code);
  }
  return status >= 500 && status !== 501 && status !== 505 ? "server" : "model";
}

/**
 * Whether what is used up comes back only with a payment. Google says "quota" of its rates too,
 * and then how long to wait.
 */
function isQuota(code: string, words: string, retryAfter: number | undefined): boolean {
  if (/insufficient_quota|billing|credit/.test(code)) return true;
  return retryAfter === undefined &&
    /insufficient[_ ](?:quota|balance|credit)|exceeded your current quota|quota (?:is )?(?:exceeded|exhausted)|billing|out of credits?/
      .test(words);
}

/** Errors inside a stream have no status, only words. */
function kindByWords(words: string, code: string): ErrorKind {
  if (/overloaded|server_error|internal_error|api_error|unavailable|internal server/.test(words)) {
    return "server";
  }
  if (isQuota(code, words, undefined)) return "model";
  if (/rate[ _-]?limit|too many requests|resource_exhausted/.test(words)) return "rate_limit";
  if (/authentication|invalid[_ ]api[_ ]key|unauthori[sz]ed/.test(words)) return "auth";
  return /timed? ?out|timeout/.test(words) ? "server" : "model";
}
