import { readPath } from "../environment/host_files.ts";
import { BubError, toBubError } from "../errors.ts";

/** Far more than anyone writes by hand, and little to hold. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file with settings, less a byte-order mark; null when there is none. Throws
 * `config` for what is no regular file (before opening it, so that no pipe is waited for), for more
 * than 1 MiB, and for what cannot be read; `given` is what the message calls the file.
 */
export async function readSettingsFile(path: string, given: string = path): Promise<string | null> {
  try {
    const data = await readPath(path, given, { maxBytes: MAX_BYTES });
    if (data.length <= MAX_BYTES) return new TextDecoder().decode(data);
  } catch (cause) {
    const { kind, message, cause: reason } = toBubError(cause);
    // With a file in the place of its folder there is none either.
    if (kind === "not_found" || reason instanceof Deno.errors.NotADirectory) return null;
    throw new BubError("config", message, { cause });
  }
  throw new BubError("config", `${given} has more than 1 MiB, the most that is read of settings`);
}
