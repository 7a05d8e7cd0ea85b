import { isGranted } from "./granted.ts";

const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

/** The proxy variables of `env`. */
export function proxyVariables(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    NAMES.flatMap((name) => env[name] === undefined ? [] : [[name, env[name]]]),
  );
}

/**
 * Hands the proxy variables of `env` (those of an `--env-file` too) to the process, where it has
 * none of its own. Deno's fetch reads them there at its very first request and never again, so
 * this must come before that one. Without the env permission nothing happens: Deno then still
 * honours those that the process was started with.
 */
export function adoptProxyVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(proxyVariables(env))) {
    if (!isGranted({ name: "env", variable: name })) continue;
    if (Deno.env.get(name) === undefined) Deno.env.set(name, value);
  }
}

/** Whether a host name of a URL is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * What to add to the message when a request to this machine itself failed: the proxy of `env` that
 * it went to instead, which hardly anyone expects. Empty for other hosts, and without a proxy.
 */
export function loopbackProxyNote(
  { protocol, hostname }: URL,
  env: Readonly<Record<string, string>>,
): string {
  if (!isLoopback(hostname)) return "";
  const value = (name: string) => env[name] || env[name.toLowerCase()] || "";
  const name = [`${protocol.slice(0, -1).toUpperCase()}_PROXY`, "ALL_PROXY"].find(value);
  const spared = value("NO_PROXY").split(/[\s,]+/).some((entry) => spares(entry, hostname));
  if (name === undefined || spared) return "";
  const host = hostname.replaceAll(/[[\]]/g, "");
  return `; it went through the proxy of ${name}, which NO_PROXY=${host} prevents`;
}

/** Whether an entry of `NO_PROXY` covers a host of this machine; a network is taken to. */
function spares(entry: string, hostname: string): boolean {
  const bare = entry.replace(/^\*?\./, "");
  if (entry === "*" || entry.includes("/")) return true;
  return bare !== "" && (`[${bare}]` === hostname || `.${hostname}`.endsWith(`.${bare}`));
}
