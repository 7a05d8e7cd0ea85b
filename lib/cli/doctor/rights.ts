import { dirname, resolve } from "@std/path";
import { isGranted } from "../../environment/granted.ts";
import { type Scope, SCOPE_ACCESSES, type ScopeAccess } from "../../environment/scope.ts";
import type { Section } from "./section.ts";

const PERMISSIONS = [...SCOPE_ACCESSES, "sys", "ffi"] as const;

/** Things that a run may want, by the access it would take. */
export type Wanted = Readonly<Partial<Record<ScopeAccess, readonly string[]>>>;

/**
 * What Deno lets the process do. It tells only whether that is everything, so where it is not, each
 * of the `wanted` is asked about: those that are granted are a part of what is.
 */
export function processSection(wanted: Wanted): Section {
  return {
    name: "process may",
    facts: Object.fromEntries(PERMISSIONS.map((name) => [name, right(name, wanted)])),
  };
}

function right(name: typeof PERMISSIONS[number], wanted: Wanted): string {
  const { state, partial } = Deno.permissions.querySync({ name });
  if (state === "granted") return partial ? "all but what is denied" : "all";
  if (state === "denied") return "nothing";
  const granted = name === "sys" || name === "ffi" ? [] : grantedOf(name, wanted[name] ?? []);
  return granted.length === 0 ? "nothing that is known" : `at least: ${granted.join(", ")}`;
}

function grantedOf(access: ScopeAccess, items: readonly string[]): readonly string[] {
  const granted = items.filter((item) => mayUse(access, item));
  const isPath = access === "read" || access === "write";
  return [...new Set(isPath ? granted.map((path) => widest(access, path)) : granted)];
}

/** The folder highest above a granted path that is granted with all in between. */
function widest(access: ScopeAccess, path: string): string {
  const parent = dirname(path);
  return parent !== path && mayUse(access, parent) ? widest(access, parent) : path;
}

/** What a scope names, by the access: paths are absolute. */
export function namedBy(scope: Scope, workspace: string): Wanted {
  const named = Object.entries(scope.allow).map(([access, rule]) => {
    const items = rule === undefined || rule === true ? [] : rule;
    return [access, items.map((item) => target(access, item, workspace))];
  });
  return Object.fromEntries(named);
}

/** What the scope leaves of that to tools. */
export function toolsSection(scope: Scope | undefined, workspace: string): Section {
  const facts = SCOPE_ACCESSES.map((access) => [access, left(access, scope, workspace)]);
  return { name: "tools may", facts: Object.fromEntries(facts) };
}

function left(access: ScopeAccess, scope: Scope | undefined, workspace: string): string {
  const bounded = scope !== undefined && Object.keys(scope.allow).length > 0;
  const allowed = scope?.allow[access] ?? (bounded ? [] : true);
  const denied = scope?.deny[access] ?? [];
  if (denied === true || (allowed !== true && allowed.length === 0)) return "nothing";
  const less = denied.length === 0 ? "" : `, but not ${denied.join(", ")}`;
  if (allowed === true) return `all that the process may${less}`;
  const shown = allowed.map((item) => {
    const may = mayUse(access, target(access, item, workspace));
    return may ? item : `${item} (which the process may not)`;
  });
  return shown.join(", ") + less;
}

/** What an item of a scope means to Deno. */
function target(access: string, item: string, workspace: string): string {
  return access === "read" || access === "write" ? resolve(workspace, item) : item;
}

/** Whether the process has the access to one path, host, program or variable. */
function mayUse(access: ScopeAccess, item: string): boolean {
  switch (access) {
    case "read":
    case "write":
      return isGranted({ name: access, path: item });
    case "net":
      // A query knows no wildcards; any name below will do.
      return isGranted({ name: "net", host: item.replace(/^\*/, "any") });
    case "run":
      return isGranted({ name: "run", command: item });
    case "env":
      return isGranted({ name: "env", variable: item });
  }
}
