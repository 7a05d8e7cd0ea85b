import type { BubError } from "../errors.ts";
import type { AccessBounds } from "./bounds.ts";
import { denied, notAllowed } from "./denial.ts";

/** The addresses a host name leads to; none where nobody knows it. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** What a rule names: addresses from `first` to `last`, or a name and perhaps all names below. */
type HostRule =
  & { readonly written: string; readonly port: string | undefined }
  & (
    | { readonly kind: "network"; readonly first: number; readonly last: number }
    | { readonly kind: "host"; readonly host: string; readonly below: boolean }
  );

/** What a connection goes to. */
interface Peer {
  /** A name in lower case, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: string;
}

/** Rules of hosts in Deno's grammar, less sockets. */
export class HostRules {
  readonly #allow: true | readonly HostRule[];
  readonly #deny: true | readonly HostRule[];

  constructor({ allow, deny }: AccessBounds<string>) {
    this.#allow = allow === true ? allow : allow.map(parseRule);
    this.#deny = deny === true ? deny : deny.map(parseRule);
  }

  /**
   * Why `url` is out of bounds; undefined: it is not. Deny rules with addresses also hold for names
   * that lead there, which `lookup` finds out; it is asked only where there are such rules.
   */
  async judge(url: URL, lookup: Lookup): Promise<BubError | undefined> {
    const peer = peerOf(url);
    const target = `${peer.host}:${peer.port}`;
    const deny = this.#deny;
    if (deny === true) return denied("net", target, true);
    const forbidding = (peer: Peer) => deny.find((rule) => isMatch(rule, peer));
    const rule = reachedBy(peer).map(forbidding).find((rule) => rule !== undefined);
    if (rule !== undefined) return denied("net", target, rule.written);
    if (this.#allow !== true && !this.#allow.some((rule) => isMatch(rule, peer))) {
      return notAllowed("net", target);
    }
    if (isAddress(peer.host) || !deny.some(namesAddresses)) return undefined;
    const addresses = (await lookup(peer.host)).map(canonicalHost);
    const behind = addresses.flatMap((host) => reachedBy({ ...peer, host }))
      .map(forbidding).find((rule) => rule !== undefined);
    return behind && denied("net", target, behind.written);
  }
}

/** The peer itself and, of the address that means no certain one, this machine's own too. */
function reachedBy(peer: Peer): Peer[] {
  const loopback = ["127.0.0.1", "[::1]"].map((host) => ({ ...peer, host }));
  return peer.host === "0.0.0.0" || peer.host === "[::]" ? [peer, ...loopback] : [peer];
}

function isMatch(rule: HostRule, { host, port }: Peer): boolean {
  if (rule.port !== undefined && rule.port !== port) return false;
  if (rule.kind === "host") {
    return host === rule.host || (rule.below && host.endsWith(`.${rule.host}`));
  }
  const address = ipv4Number(host);
  return address !== undefined && address >= rule.first && address <= rule.last;
}

function namesAddresses(rule: HostRule): boolean {
  return rule.kind === "network" || isAddress(rule.host);
}

function peerOf({ protocol, hostname, port }: URL): Peer {
  return { host: canonicalHost(hostname), port: port || (protocol === "https:" ? "443" : "80") };
}

function parseRule(written: string): HostRule {
  const port = /:(\d+)$/.exec(written)?.[1];
  const host = port === undefined ? written : written.slice(0, -port.length - 1);
  const common = { written, port: port === undefined ? undefined : String(Number(port)) };
  const [address = "", bits] = host.split("/");
  const first = bits === undefined ? undefined : ipv4Number(address);
  if (first !== undefined) {
    const size = 2 ** (32 - Number(bits));
    const start = first - first % size;
    return { ...common, kind: "network", first: start, last: start + size - 1 };
  }
  const below = host.startsWith("*.");
  return { ...common, kind: "host", host: canonicalHost(below ? host.slice(2) : host), below };
}

/**
 * One spelling for each host: lower case, no dot at the end, addresses as `URL` writes them, an
 * IPv4 address inside an IPv6 one taken out, as Deno does.
 */
function canonicalHost(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, "");
  if (!bare.includes(":")) return bare;
  const bracketed = bare.startsWith("[") ? bare : `[${bare.replace(/%.*/, "")}]`;
  const address = URL.parse(`http://${bracketed}/`)?.hostname ?? bracketed;
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(address);
  if (mapped === null) return address;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || ipv4Number(host) !== undefined;
}

/** The number that an IPv4 address in its usual form stands for. */
function ipv4Number(host: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return undefined;
  const parts = host.split(".").map(Number);
  return parts.some((part) => part > 255)
    ? undefined
    : parts.reduce((sum, part) => sum * 256 + part);
}
