import { toFileUrl } from "@std/path";
import { requireGranted } from "../environment/granted.ts";
import { BubError, toBubError } from "../errors.ts";

/**
 * The default export of a module on disk, an absolute path. Throws `config` with what is wrong
 * with the file. A module that has been loaded in this process is not loaded again.
 */
export async function importDefault(file: string): Promise<unknown> {
  await checkFile(file);
  const address = toFileUrl(file).href;
  try {
    const module: { readonly default?: unknown } = await import(address);
    return module.default;
  } catch (thrown) {
    throw new BubError("config", `it cannot be loaded: ${loadProblem(thrown)}`, { cause: thrown });
  }
}

async function checkFile(file: string): Promise<void> {
  let info: Deno.FileInfo;
  try {
    requireGranted({ name: "read", path: file });
    info = await Deno.stat(file);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) {
      throw new BubError("config", "there is no such file");
    }
    throw new BubError("config", toBubError(thrown).message, { cause: thrown });
  }
  if (!info.isFile) throw new BubError("config", "a plugin is a module, but this is no file");
}

/** Deno shows the place of a mistake in a picture of several lines: its first and its last count. */
function loadProblem(thrown: unknown): string {
  const { message } = toBubError(thrown);
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const place = lines.slice(1).map((line) => /^at (file:\S+:\d+:\d+)$/.exec(line)?.[1]).find(
    Boolean,
  );
  return `${lines[0] ?? "no reason was given"}${place === undefined ? "" : ` (${place})`}`;
}
