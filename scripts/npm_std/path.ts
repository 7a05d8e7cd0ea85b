/**
 * What this program uses of `@std/path`: `deno task` puts it in that module's place where JSR cannot
 * be reached. `tests/std_contract_test.ts` pins what both do. Only Windows takes its paths from
 * `node:path`, see `posix_path.ts`. `node:url` is not behind the URLs: it refuses hosts and encoded
 * slashes that the original takes, and 2 ms of every start.
 */
import * as posix from "./posix_path.ts";

const path = Deno.build.os === "windows" ? (await import("node:path")).win32 : posix;

/** What divides the parts of a path on this system. */
export const SEPARATOR = Deno.build.os === "windows" ? "\\" : "/";

/** Joins paths and normalizes the outcome; a `file:` URL may come first. */
export function join(first: string | URL, ...rest: string[]): string {
  return path.join(asPath(first), ...rest);
}

/** The absolute path that a row of paths leads to, from the current folder on. */
export function resolve(...paths: string[]): string {
  return path.resolve(...paths);
}

/** The path without its last part. */
export function dirname(file: string | URL): string {
  return path.dirname(asPath(file));
}

/** The last part of a path, less `suffix` where it ends so and is not the whole part. */
export function basename(file: string | URL, suffix = ""): string {
  const given = asPath(file);
  const name = path.basename(given) || (given === "" ? "" : SEPARATOR);
  return name !== suffix && name.endsWith(suffix)
    ? name.slice(0, name.length - suffix.length)
    : name;
}

/** The extension with its dot; empty where there is none. */
export function extname(file: string | URL): string {
  return path.extname(asPath(file));
}

/** Whether a path starts at a root. */
export function isAbsolute(file: string): boolean {
  return path.isAbsolute(file);
}

/** The way from one path to the other, empty where they are the same. */
export function relative(from: string, to: string): string {
  return path.relative(from, to);
}

/** The path with `.`, `..` and doubled separators taken out. */
export function normalize(file: string | URL): string {
  return path.normalize(asPath(file));
}

/** The path of a `file:` URL; throws a `TypeError` for any other. */
export function fromFileUrl(url: string | URL): string {
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol !== "file:") {
    throw new TypeError(`URL must be a file URL: received "${protocol}"`);
  }
  const escaped = pathname.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25");
  if (SEPARATOR === "/") return decodeURIComponent(escaped);
  const local = decodeURIComponent(escaped.replaceAll("/", SEPARATOR));
  if (hostname !== "") return `\\\\${hostname}${local}`;
  return local.replace(/^\\*([A-Za-z]:)(?:\\|$)/, "$1\\");
}

/** The `file:` URL of an absolute path; throws a `TypeError` for any other. */
export function toFileUrl(file: string): URL {
  if (!path.isAbsolute(file)) {
    throw new TypeError(`Path must be absolute: received "${file}"`);
  }
  const url = new URL("file:///");
  const share = SEPARATOR === "/" ? null : /^[/\\]{2}([^/\\]+)(?=[/\\](?:[^/\\]|$))/.exec(file);
  if (share?.[1] !== undefined && share[1] !== "localhost") url.hostname = share[1];
  const local = file.slice(share?.[0].length ?? 0).replaceAll("%", "%25");
  const slashed = SEPARATOR === "/" ? local.replaceAll("\\", "%5C") : local;
  url.pathname = slashed.replaceAll(/[\t\n\v\f\r ]/g, encodeURIComponent);
  return url;
}

function asPath(file: string | URL): string {
  return file instanceof URL ? fromFileUrl(file) : file;
}
