import { fromFileUrl, join, resolve } from "@std/path";
import { BubError } from "../errors.ts";

/** What relative paths and `~` stand for. */
export interface PathBase {
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; undefined where the user has none. */
  readonly homeFolder: string | undefined;
}

/**
 * The absolute path that `path` stands for: relative to the workspace, `~` and `~/…` in the home
 * folder, or an absolute `file:` URL. Purely a matter of spelling, nothing is looked up on disk.
 * Throws `invalid_input` for text that can be no path.
 */
export function resolvePath(path: string, base: PathBase): string {
  if (path === "") throw new BubError("invalid_input", "path is empty; give the name of a file");
  const plain = /^file:/i.test(path) ? fromUrl(path) : path;
  if (plain.includes("\0")) {
    throw new BubError("invalid_input", `path ${JSON.stringify(path)} has a NUL character in it`);
  }
  if (/^~(?:$|[/\\])/.test(plain)) return fromHome(plain, base.homeFolder);
  return resolve(base.workspace, plain);
}

/** How a path ends that can be a folder's only. */
const FOLDER_END = Deno.build.os === "windows" ? /[/\\]\.{0,2}$/ : /\/\.{0,2}$/;

/**
 * Throws `invalid_input` for a path that says itself that it is a folder's: `resolvePath` drops the
 * slash at its end, and a file of that name would be made.
 */
export function requireFileName(path: string): void {
  if (!FOLDER_END.test(path)) return;
  throw new BubError("invalid_input", `${path} names a folder; give the name of a file`);
}

function fromHome(path: string, homeFolder: string | undefined): string {
  if (homeFolder === undefined) {
    throw new BubError("invalid_input", `no home folder is known for ${path}; give the whole path`);
  }
  return join(homeFolder, path.slice(1));
}

/**
 * Strict, because a lenient reading opens another file than the one that was meant: an unescaped
 * `#` would cut the name short, and a stray `%` would be kept or dropped.
 */
function fromUrl(text: string): string {
  const fail = (reason: string) => {
    throw new BubError(
      "invalid_input",
      `${JSON.stringify(text)} is no usable file URL: ${reason}; give file:///path or a plain path`,
    );
  };
  if (!/^file:\//i.test(text)) fail("it is not absolute");
  const url = URL.parse(text);
  if (url === null) return fail("it cannot be parsed");
  if (url.search !== "" || url.hash !== "") fail("write ? as %3F and # as %23");
  if (url.hostname !== "" && Deno.build.os !== "windows") fail(`it names the host ${url.hostname}`);
  if (/%(?:2f|5c)/i.test(url.pathname)) fail("it has an encoded slash");
  try {
    decodeURIComponent(url.pathname);
  } catch {
    fail("its percent encoding is broken");
  }
  return fromFileUrl(url);
}
