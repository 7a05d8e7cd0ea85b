import { dirname, join, resolve } from "@std/path";
import { moved } from "./file_error.ts";
import { isGranted } from "./granted.ts";

/** As the system's own limit for one path. */
const MAX_LINKS = 40;

/** Where a path leads. */
export interface Place {
  /** The deepest folder or file on its way that there is: no link, as far as may be looked at. */
  readonly found: string;
  /** What is missing below it, by name. */
  readonly rest: readonly string[];
}

/**
 * Follows the links of `path`, which is absolute, one by one, also those to where there is nothing.
 * `enter` is called with the whole path that each link makes of it, before anything is looked at
 * there, and throws to stop. Folders that may not be looked at are taken for no links.
 */
export function traceLinks(path: string, enter: (path: string) => void): Place {
  let whole = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const step = firstLink(whole);
    if (!("link" in step)) return step;
    whole = resolve(dirname(step.link), textOf(step.link), ...step.rest);
    enter(whole);
  }
  throw new Deno.errors.FilesystemLoop(path);
}

/** The first link on a path and what stands behind it, or where the path ends. */
function firstLink(path: string): Place | { readonly link: string; readonly rest: string[] } {
  const { root, names } = split(path);
  let found = root;
  for (const [index, name] of names.entries()) {
    const next = join(found, name);
    const info = isGranted({ name: "read", path: next }) ? look(next) : "hidden";
    if (info === undefined) return { found, rest: names.slice(index) };
    if (info !== "hidden" && info.isSymlink) return { link: next, rest: names.slice(index + 1) };
    found = next;
  }
  return { found, rest: [] };
}

function textOf(link: string): string {
  try {
    return Deno.readLinkSync(link);
  } catch {
    throw moved(link);
  }
}

function split(path: string): { root: string; names: string[] } {
  const parent = dirname(path);
  if (parent === path) return { root: path, names: [] };
  const { root, names } = split(parent);
  return { root, names: [...names, path.slice(parent.length).replace(/^[/\\]/, "")] };
}

function look(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
