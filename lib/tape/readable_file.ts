import { fileKind, requireFile } from "../environment/file_error.ts";
import { requireGranted } from "../environment/granted.ts";
import { BubError, type ErrorKind, toBubError } from "../errors.ts";

/**
 * Opens a file to read; null when there is none. What is no regular file is refused unopened: a
 * pipe waits for a writer that may never come, and a device may have no end. Throws `kind`.
 */
export async function openReadableFile(
  path: string,
  kind: ErrorKind = "storage",
): Promise<Deno.FsFile | null> {
  try {
    requireGranted({ name: "read", path });
    requireFile(fileKind(await Deno.stat(path)), path, kind);
    return await Deno.open(path, { read: true });
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return null;
    if (thrown instanceof BubError) throw thrown;
    const error = toBubError(thrown, kind);
    throw new BubError(error.kind, `${path} cannot be read: ${error.message}`, { cause: thrown });
  }
}
