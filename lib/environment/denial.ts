import { BubError, missingAccess, permissionFlag } from "../errors.ts";
import type { ScopeAccess } from "./scope.ts";

/** The error for what no rule allows. */
export function notAllowed(access: ScopeAccess, target: string): BubError {
  return new BubError("permission", missingAccess(access, target));
}

/** The error for files of bub itself, such as its configuration. */
export function ownFile(access: ScopeAccess, target: string): BubError {
  const reason = "bub's own files are outside of every scope";
  return new BubError("permission", `${access} access to "${target}" is denied: ${reason}`);
}

/** The error for what a deny rule forbids; `rule` as it was given, true: the rule for everything. */
export function denied(access: ScopeAccess, target: string, rule: true | string): BubError {
  const flag = rule === true ? `--deny-${access}` : permissionFlag(`deny-${access}`, rule);
  return new BubError("permission", `${access} access to "${target}" is denied by ${flag}`);
}
