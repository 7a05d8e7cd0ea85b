import { basename, dirname, join, resolve } from "@std/path";
import { isGranted } from "./granted.ts";
import type { Scope, ScopeAccess, ScopeRule } from "./scope.ts";

/** A path of a rule. */
export interface PathRule {
  /** As it was given: for messages. */
  readonly written: string;
  /** Absolute. */
  readonly path: string;
  /** The real path that it had when the rules were resolved, of what was there of it. */
  readonly real: string;
  /** Of a file of bub itself, which no scope opens; `written` is not told then. */
  readonly own?: boolean;
}

/** What one access is bounded by. `allow` true: all that is not denied; `deny` true: nothing. */
export interface AccessBounds<Rule> {
  readonly allow: true | readonly Rule[];
  readonly deny: true | readonly Rule[];
}

/** A scope with every access spelled out and every path absolute; plain data. */
export interface Bounds {
  readonly read: AccessBounds<PathRule>;
  readonly write: AccessBounds<PathRule>;
  /** Hosts in Deno's grammar: `host`, `*.host`, `1.2.3.4`, `1.2.3.0/24`, `[::1]`, each `:port`. */
  readonly net: AccessBounds<string>;
  /** Names of programs, and absolute paths. */
  readonly run: AccessBounds<string>;
  readonly env: AccessBounds<string>;
}

/**
 * The bounds that `scope` sets; relative paths start at `workspace`, an absolute path. Whatever it
 * allows, nothing is written at and below `ownFiles`.
 */
export function resolveBounds(
  scope: Scope,
  workspace: string,
  ownFiles: readonly string[] = [],
): Bounds {
  const path = (written: string): PathRule => {
    const absolute = resolve(workspace, written);
    return { written, path: absolute, real: realSpelling(absolute) };
  };
  const program = (written: string) =>
    /[/\\]/.test(written) ? resolve(workspace, written) : written;
  return {
    read: accessBounds(scope, "read", path),
    write: withoutOwn(accessBounds(scope, "write", path), ownFiles.map(path)),
    net: accessBounds(scope, "net", String),
    run: accessBounds(scope, "run", program),
    env: accessBounds(scope, "env", String),
  };
}

function accessBounds<Rule>(
  { allow, deny }: Scope,
  access: ScopeAccess,
  toRule: (written: string) => Rule,
): AccessBounds<Rule> {
  const rules = (rule: ScopeRule) => rule === true ? rule : rule.map(toRule);
  const denyOnly = Object.values(allow).every((rule) => rule === undefined);
  return { allow: rules(allow[access] ?? (denyOnly ? true : [])), deny: rules(deny[access] ?? []) };
}

function withoutOwn(
  { allow, deny }: AccessBounds<PathRule>,
  ownFiles: readonly PathRule[],
): AccessBounds<PathRule> {
  if (deny === true) return { allow, deny };
  return { allow, deny: [...deny, ...ownFiles.map((rule) => ({ ...rule, own: true }))] };
}

/** The real path of the deepest folder of `path` that there is, and the rest behind it. */
export function realSpelling(path: string): string {
  if (!isGranted({ name: "read", path })) return path;
  try {
    return Deno.realPathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realSpelling(parent), basename(path));
  }
}
