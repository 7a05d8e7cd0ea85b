import { dirname } from "@std/path";
import { fileKind, irregularity } from "../environment/file_error.ts";

/** Times to try again when other processes make and remove the file in between. */
const MAX_ATTEMPTS = 100;

/**
 * Opens a file for reading and appending. What does not exist yet is made with modes 0600 and 0700,
 * whatever the umask; what exists keeps its mode. Throws `NotSupported` for a folder, a pipe, a device.
 */
export function openPrivateFile(path: string): Deno.FsFile {
  for (let attempt = 1;; attempt++) {
    try {
      const problem = irregularity(fileKind(Deno.statSync(path)), path);
      if (problem !== undefined) throw new Deno.errors.NotSupported(problem);
      return Deno.openSync(path, { read: true, append: true });
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    }
    try {
      return createPrivateFile(path);
    } catch (thrown) {
      // Another process was faster: open what it made. A link to nowhere is both for ever.
      if (!(thrown instanceof Deno.errors.AlreadyExists) || attempt === MAX_ATTEMPTS) throw thrown;
    }
  }
}

/** Makes a new file, mode 0600, in a folder that is made too; `AlreadyExists` when it is there. */
export function createPrivateFile(path: string): Deno.FsFile {
  const open = () =>
    Deno.openSync(path, { read: true, append: true, createNew: true, mode: 0o600 });
  let file: Deno.FsFile;
  try {
    file = open();
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    makePrivateFolder(dirname(path));
    file = open();
  }
  setMode(path, 0o600);
  return file;
}

/** Makes a folder, and those above it that are missing, with mode 0700. */
function makePrivateFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (thrown instanceof Deno.errors.AlreadyExists) return;
    if (!(thrown instanceof Deno.errors.NotFound) || dirname(path) === path) throw thrown;
    makePrivateFolder(dirname(path));
    return makePrivateFolder(path);
  }
  setMode(path, 0o700);
}

/** The mode asked for at creation is cut by the umask, which may take even the owner's rights. */
function setMode(path: string, mode: number): void {
  if (Deno.build.os === "windows") return;
  try {
    Deno.chmodSync(path, mode);
  } catch (thrown) {
    // Another process has already removed it; whoever opened it notices by the path.
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}
