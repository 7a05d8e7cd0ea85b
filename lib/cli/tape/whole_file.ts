import { dirname, join } from "@std/path";
import { usage } from "../args.ts";
import { storageError } from "./tape_folder.ts";

/**
 * Fills the file at `path` (absolute) through the function that `fill` is given. The file is there
 * whole or as it was before: what is written goes to a temporary file beside it that takes its
 * place at the end. New ones are for the owner alone. Devices and pipes are written to directly.
 * Throws `config` for a folder, `storage` for what the system refuses, and whatever `fill` throws.
 */
export async function writeWhole(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const before = await statIfThere(path);
  if (before?.isDirectory) throw usage(`--output ${path} is a folder; the name of a file is right`);
  if (before !== null && !before.isFile) return await fillFile(path, { write: true }, fill, path);
  const target = before === null ? path : await Deno.realPath(path);
  const temporary = join(dirname(target), `.bub-${crypto.randomUUID()}.tmp`);
  try {
    await fillFile(temporary, { write: true, createNew: true, mode: 0o600 }, fill, path);
    await replace(temporary, target, before?.mode ?? null, path);
  } catch (thrown) {
    await Deno.remove(temporary).catch(() => {});
    throw thrown;
  }
}

async function fillFile(
  file: string,
  options: Deno.OpenOptions,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
  shown: string,
): Promise<void> {
  const encoder = new TextEncoder();
  using open = await refused(shown, () => Deno.open(file, options));
  await fill((text) => refused(shown, () => writeAll(open, encoder.encode(text))));
}

async function replace(
  temporary: string,
  target: string,
  mode: number | null,
  shown: string,
): Promise<void> {
  await refused(shown, async () => {
    if (mode !== null && Deno.build.os !== "windows") await Deno.chmod(temporary, mode & 0o777);
    await Deno.rename(temporary, target);
  });
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
}

async function refused<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw storageError(`${path} cannot be written`, thrown);
  }
}

async function statIfThere(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return null;
    throw storageError(`${path} cannot be written`, thrown);
  }
}
