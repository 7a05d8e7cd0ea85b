/** An access to one thing. */
export type NamedAccess =
  | { readonly name: "read" | "write"; readonly path: string }
  | { readonly name: "net"; readonly host: string }
  | { readonly name: "env"; readonly variable: string };

/**
 * Whether an access is granted already. Asked before every access to what the user's command line
 * may have left out, because trying it would prompt on a terminal.
 */
export function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

/** Whether an access is granted already with all that is below it, no part of it denied. */
export function isWhole(descriptor: Deno.PermissionDescriptor): boolean {
  const { state, partial } = Deno.permissions.querySync(descriptor);
  return state === "granted" && partial !== true;
}

/** Throws what Deno would, `NotCapable` with its sentence, unless an access is granted already. */
export function requireGranted(access: NamedAccess): void {
  if (isGranted(access)) return;
  throw new Deno.errors.NotCapable(
    `Requires ${access.name} access to "${target(access)}", run again with the ` +
      `--allow-${access.name} flag`,
  );
}

/** The same for the host and port that an `http:` or `https:` address leads to. */
export function requireReachable({ protocol, hostname, port }: URL): void {
  requireGranted({
    name: "net",
    host: `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`,
  });
}

function target(access: NamedAccess): string {
  switch (access.name) {
    case "net":
      return access.host;
    case "env":
      return access.variable;
    default:
      return access.path;
  }
}
