import { BubError, type ErrorKind, toBubError } from "../errors.ts";
import type { FetchOptions, FetchResult } from "./environment.ts";
import { requireReachable } from "./granted.ts";
import { readBody } from "./http_body.ts";
import { loopbackProxyNote } from "./proxy.ts";

/** As many as fetch itself would follow. */
const MAX_REDIRECTS = 20;
/** Servers take far less; Deno's own limit is near 64 KiB and its error repeats the whole text. */
const MAX_URL_LENGTH = 32 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What must not follow a redirect to another origin. */
const CREDENTIALS = ["authorization", "cookie", "proxy-authorization"];

/** Throws unless this address may be asked; called for the first one and for every redirect. */
export type HopCheck = (url: URL) => void | Promise<void>;

export interface HostFetchOptions {
  readonly check?: HopCheck;
  /** The variables of the process: failures name the proxy that a request went to by mistake. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * One GET with Deno's own fetch. Redirects are followed here, one by one, so that each hop is
 * checked: fetch alone would also follow them into schemes and hosts that were never allowed.
 * Rejects with the signal's reason when that aborts.
 */
export async function hostFetch(
  address: string,
  options: FetchOptions,
  { check = () => {}, env = {} }: HostFetchOptions = {},
): Promise<FetchResult> {
  let url = parseAddress(address);
  const headers = new Headers(options.headers);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    await check(url);
    const call = { ...options, headers, url, env };
    const response = await request(call);
    const next = redirectTarget(response, url);
    if (next === undefined) return await finish(response, call);
    await response.body?.cancel();
    if (next.origin !== url.origin) CREDENTIALS.forEach((name) => headers.delete(name));
    url = next;
  }
  throw new BubError(
    "tool",
    `stopped after ${MAX_REDIRECTS} redirects, which lead in a loop or too far; the next was ` +
      publicUrl(url),
  );
}

/** The address without user name and password: the form for results, errors and logs. */
function publicUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}

function parseAddress(address: string): URL {
  if (address.length > MAX_URL_LENGTH) {
    throw new BubError(
      "invalid_input",
      `url has ${address.length} characters; at most ${MAX_URL_LENGTH} are taken`,
    );
  }
  const url = URL.parse(address);
  if (url === null) {
    const shown = JSON.stringify(address.replace(/\/\/[^/]*@/, "//").slice(0, 200));
    throw new BubError("invalid_input", `${shown} is no URL; give one such as https://host/path`);
  }
  requireHttp(url, "invalid_input", "url");
  return url;
}

function requireHttp(url: URL, kind: ErrorKind, what: string): void {
  if (url.protocol === "http:" || url.protocol === "https:") return;
  throw new BubError(
    kind,
    `${what} has the unsupported scheme ${url.protocol} (only http: and https: are fetched)`,
  );
}

/** One hop. */
interface Call extends FetchOptions {
  readonly url: URL;
  readonly env: Readonly<Record<string, string>>;
}

async function request(call: Call): Promise<Response> {
  const { url, headers, signal } = call;
  const bare = publicUrl(url);
  const sent = new Headers(headers);
  if ((url.username !== "" || url.password !== "") && !sent.has("authorization")) {
    sent.set("authorization", basicCredentials(url));
  }
  try {
    requireReachable(url);
    return await fetch(bare, { headers: sent, redirect: "manual", signal });
  } catch (error) {
    throw fetchError(error, call);
  }
}

function basicCredentials(url: URL): string {
  const pair = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return `Basic ${new TextEncoder().encode(pair).toBase64()}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where `response` sends the caller; undefined when it is an answer itself. */
function redirectTarget(response: Response, url: URL): URL | undefined {
  const location = response.headers.get("location");
  if (!REDIRECTS.includes(response.status) || location === null) return undefined;
  const next = URL.parse(location, url);
  if (next === null) {
    throw new BubError("tool", `${publicUrl(url)} redirects to something that is no URL`);
  }
  requireHttp(next, "tool", `the redirect from ${publicUrl(url)}`);
  return next;
}

async function finish(response: Response, call: Call): Promise<FetchResult> {
  const { url, maxBytes } = call;
  try {
    const { body, truncated } = await readBody(response, maxBytes);
    return {
      url: publicUrl(url),
      status: response.status,
      headers: response.headers,
      body,
      truncated,
    };
  } catch (error) {
    throw fetchError(error, call);
  }
}

/** What went wrong, without the address of this machine that Deno puts into its sentence. */
function fetchError(thrown: unknown, { url, signal, env }: Call): unknown {
  if (signal.aborted) return signal.reason;
  if (thrown instanceof BubError || !(thrown instanceof Error)) return thrown;
  if (thrown instanceof Deno.errors.NotCapable) return toBubError(thrown);
  const { message } = thrown.cause instanceof Error ? thrown.cause : thrown;
  // Addresses that are denied to the process are found behind names only while connecting.
  const denial = /Requires net access to .*/s.exec(message);
  if (denial !== null) return toBubError(new Deno.errors.NotCapable(denial[0]));
  const reason = message.replace(/^error sending request .*?\): /s, "");
  const note = loopbackProxyNote(url, env);
  return new BubError("tool", `cannot fetch ${publicUrl(url)}: ${reason}${note}`, {
    cause: thrown,
  });
}
