import { join } from "@std/path";
import { isGranted } from "./granted.ts";

/** How long, in milliseconds, removing is tried while the path leads now here, now there. */
const REMOVAL_MS = 100;
/** Milliseconds between two tries. */
const PAUSE_MS = 1;

/**
 * A path in `folder` that nothing else has, for what gets its own name once it is complete;
 * undefined where something with a new name may not be made.
 */
export function temporaryPath(folder: string): string | undefined {
  const path = join(folder, `.bub-${crypto.randomUUID()}.tmp`);
  const names = ["read", "write"] as const;
  return names.every((name) => isGranted({ name, path })) ? path : undefined;
}

/**
 * Removes what was made at a temporary path. Since nothing else has its name it may go wherever the
 * path led when it was made, even if that is not where it leads at first.
 */
export async function removeTemporary(path: string): Promise<void> {
  const deadline = performance.now() + REMOVAL_MS;
  while (performance.now() < deadline) {
    try {
      return await Deno.remove(path);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
