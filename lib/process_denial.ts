/**
 * Whether the process itself was denied an access (`--deny-read=…`), so that no `--allow-…` would
 * help; `target` undefined: all of it. Accesses that cannot be asked about are not.
 */
export function isDeniedToProcess(access: string, target: string | undefined): boolean {
  const descriptor = descriptorOf(access, target);
  if (descriptor === undefined) return false;
  try {
    return Deno.permissions.querySync(descriptor).state === "denied";
  } catch {
    // What Deno takes for no path, host or program.
    return false;
  }
}

function descriptorOf(
  access: string,
  target: string | undefined,
): Deno.PermissionDescriptor | undefined {
  const all = target === undefined;
  switch (access) {
    case "read":
    case "write":
      return all ? { name: access } : { name: access, path: target };
    case "net":
      return all ? { name: access } : { name: access, host: target };
    case "run":
      return all ? { name: access } : { name: access, command: target };
    case "env":
      return all ? { name: access } : { name: access, variable: target };
    default:
      return undefined;
  }
}
