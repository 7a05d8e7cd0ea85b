import type { AccessBounds, Bounds, PathRule } from "./bounds.ts";
import { isWhole } from "./granted.ts";
import type { ProgramRules } from "./program_rules.ts";

/**
 * The permissions of the Worker that works within `bounds`: what those allow and the process has.
 * A Worker takes neither deny rules nor more than its parent has, so that an access of which the
 * process has but a part is handed on as it is, for the checks of the rules to narrow.
 */
export function workerPermissions(
  { read, write, net, run, env }: Bounds,
  programs: ProgramRules,
): Deno.PermissionOptionsObject {
  return {
    read: listed(spellings(read), (path) => ({ name: "read", path })),
    write: listed(spellings(write), (path) => ({ name: "write", path })),
    net: listed(net.allow, (host) => ({ name: "net", host })),
    run: listed(
      run.allow === true || programs.allowedFiles,
      (command) => ({ name: "run", command }),
    ),
    env: listed(env.allow, (variable) => ({ name: "env", variable })),
    sys: false,
    ffi: false,
    import: false,
  };
}

/** The paths of the rules, and their real paths where those are others: Deno compares spellings. */
function spellings({ allow }: AccessBounds<PathRule>): true | readonly string[] {
  return allow === true ? true : [...new Set(allow.flatMap(({ path, real }) => [path, real]))];
}

function listed(
  allow: true | readonly string[],
  descriptor: (item: string) => Deno.PermissionDescriptor,
): string[] | "inherit" {
  if (allow === true || !allow.every((item) => hasWhole(descriptor(item)))) return "inherit";
  return [...allow];
}

/** Whether the process has all of an access; false for wildcards that cannot be asked for. */
function hasWhole(descriptor: Deno.PermissionDescriptor): boolean {
  try {
    return isWhole(descriptor);
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
