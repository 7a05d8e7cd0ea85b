import { createPrivateFile } from "./private_file.ts";

/**
 * Copies a tape's file beside it, to `<path>.<UTC stamp>[-n].bak`, and returns the new path. Never
 * overwrites: the name is taken by making the file. On failure nothing of it stays.
 */
export function archiveFile(path: string, now: Date = new Date()): string {
  const target = takeName(`${path}.${archiveStamp(now)}`);
  try {
    Deno.copyFileSync(path, target);
  } catch (thrown) {
    Deno.removeSync(target);
    throw thrown;
  }
  return target;
}

/** `20261201T035602Z` */
export function archiveStamp(now: Date): string {
  return now.toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
}

function takeName(stem: string): string {
  for (let n = 1;; n++) {
    const path = n === 1 ? `${stem}.bak` : `${stem}-${n}.bak`;
    try {
      createPrivateFile(path).close();
      return path;
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.AlreadyExists)) throw thrown;
    }
  }
}
