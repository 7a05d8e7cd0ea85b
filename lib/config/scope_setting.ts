import {
  type Scope,
  SCOPE_ACCESSES,
  type ScopeAccess,
  type ScopeRule,
} from "../environment/scope.ts";
import { either, listOf, objectOf, type Shape, shape } from "./shape.ts";

/** A key of the setting `scope`, which is also the name of a flag. */
export type ScopeKey = `${"allow" | "deny"}-${ScopeAccess}`;

/** Rules as they are written down. */
export type ScopeSetting = Readonly<Partial<Record<ScopeKey, ScopeRule>>>;

/** Every key there is. */
export const SCOPE_KEYS = SCOPE_ACCESSES.flatMap((access): readonly ScopeKey[] => [
  `allow-${access}`,
  `deny-${access}`,
]);

/**
 * Deno takes `~` and addresses for names of files, so that a rule with one would bound nothing that
 * its author had in mind.
 */
const path = item(
  "a path that is written out, without ~ or file:",
  (value) => !/^(?:~(?=$|[/\\])|file:)/i.test(value),
);

/** The shape of what a rule lists, by its access. */
export const SCOPE_ITEMS: Readonly<Record<ScopeAccess, Shape>> = {
  read: path,
  write: path,
  net: item("a host or host:port, such as example.com:443 or 127.0.0.1", isHost),
  run: item("the name or the path of a program", () => true),
  env: item("the name of a variable", (value) => !value.includes("=")),
};

function item(expected: string, fits: (value: string) => boolean): Shape {
  return shape(
    expected,
    (value) => typeof value === "string" && /^[^\0]+$/.test(value) && fits(value),
  );
}

/** Names (`*.` in front: and all below), addresses and networks of IPv4, addresses of IPv6. */
const HOST =
  /^(?:(?<name>(?:\*\.)?(?:[\w-]{1,255}\.)*[\w-]{1,255}\.?)|(?<network>\d+(?:\.\d+){3})\/(?<bits>\d+)|(?<ipv6>\[.*\]))(?::(?<port>\d+))?$/;

/**
 * What Deno takes for a host, less sockets, which no tool reaches, and less what would match
 * nothing: addresses are compared in the form that `URL` gives them (`127.1` is `127.0.0.1`).
 */
function isHost(text: string): boolean {
  const found = HOST.exec(text)?.groups;
  if (found === undefined) return false;
  const { name, network, bits = 0, ipv6, port = 1 } = found;
  return Number(port) > 0 && Number(port) < 2 ** 16 && Number(bits) <= 32 &&
    (ipv6 === undefined ? isPlain(name ?? network ?? "") : URL.canParse(`http://${ipv6}/`));
}

/** Whether a name, or an IPv4 address, stands as `URL` writes it, but for case and a last dot. */
function isPlain(host: string): boolean {
  // Below `*.1.2.3.4` there can be no name.
  const lower = host.toLowerCase().replace(/^\*/, "any").replace(/\.$/, "");
  return URL.parse(`http://${lower}/`)?.hostname === lower;
}

function rule(access: ScopeAccess): Shape {
  const all = shape("true or a list of texts", (value) => value === true);
  return either(all, listOf(SCOPE_ITEMS[access], "true or a list of texts"));
}

/** The shape of the whole setting. */
export const scopeShape: Shape = objectOf(
  Object.fromEntries(
    SCOPE_ACCESSES.flatMap((access) => [
      [`allow-${access}`, rule(access)],
      [`deny-${access}`, rule(access)],
    ]),
  ),
);

/** The bounds that rules come to; undefined: there are none. */
export function scopeOf(setting: ScopeSetting): Scope | undefined {
  if (Object.keys(setting).length === 0) return undefined;
  const rules = (kind: "allow" | "deny") =>
    Object.fromEntries(
      SCOPE_ACCESSES.flatMap((access) => {
        const rule = setting[`${kind}-${access}`];
        return rule === undefined ? [] : [[access, rule]];
      }),
    );
  return { allow: rules("allow"), deny: rules("deny") };
}
