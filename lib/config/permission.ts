/**
 * Whether an access is granted already. Asked before every access to what the user's command line
 * may have left out, because trying it would prompt on a terminal.
 */
export function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}
