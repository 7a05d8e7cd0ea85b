import { dirname } from "@std/path";
import { BubError, type ErrorKind, toBubError } from "../errors.ts";
import type { FileKind } from "./environment.ts";

const KIND_NAMES: Readonly<Record<Exclude<FileKind, "file">, string>> = {
  directory: "a folder",
  pipe: "a named pipe",
  socket: "a socket",
  device: "a device",
  other: "something else",
};

/** What `info` describes, links followed. */
export function fileKind(info: Deno.FileInfo): FileKind {
  if (info.isFile) return "file";
  if (info.isDirectory) return "directory";
  if (info.isFifo) return "pipe";
  if (info.isSocket) return "socket";
  return info.isBlockDevice || info.isCharDevice ? "device" : "other";
}

/**
 * Throws unless `kind` is that of a regular file, an error of kind `failure`; `given` is the path as
 * the caller wrote it.
 */
export function requireFile(kind: FileKind, given: string, failure: ErrorKind = "tool"): void {
  const problem = irregularity(kind, given);
  if (problem !== undefined) throw new BubError(failure, problem);
}

/** What a path leads to in place of a regular file, as a sentence; undefined: it does lead to one. */
export function irregularity(kind: FileKind, given: string): string | undefined {
  return kind === "file" ? undefined : `${given} is ${KIND_NAMES[kind]}, not a regular file`;
}

/** The error for what is at `path` when other programs change that while it is used. */
export function moved(path: string): BubError {
  return new BubError("tool", `${dirname(path)} changed while it was in use; try again`);
}

/** A failure of the file system as a `BubError` about `given`, the path as the caller wrote it. */
export function fileError(thrown: unknown, action: "read" | "write", given: string): unknown {
  if (thrown instanceof Deno.errors.NotCapable) {
    return isGuarded(thrown) ? guarded(thrown, action, given) : toBubError(thrown);
  }
  if (thrown instanceof BubError || !(thrown instanceof Error)) return thrown;
  if (thrown instanceof DOMException) return thrown;
  const options = { cause: thrown };
  if (thrown instanceof Deno.errors.NotFound) {
    return new BubError("not_found", `no such file or folder: ${given}`, options);
  }
  return new BubError("tool", `cannot ${action} ${given}: ${reason(thrown)}`, options);
}

/**
 * Whether Deno refuses a path whatever `--allow-read` and `--allow-write` say, as it does for
 * /proc, /dev, /sys and more: only a process with all permissions, FFI too, may touch those.
 */
function isGuarded({ message }: Error): boolean {
  return message.startsWith("Requires all access");
}

function guarded(cause: Error, action: "read" | "write", given: string): BubError {
  const command = action === "read" ? "can read it, with cat" : "can write it";
  return new BubError(
    "permission",
    `${given} is guarded by Deno, as /proc, /dev and /sys are; --allow-all of the process, without ` +
      `a scope, grants it, and bash, where it may run, ${command}`,
    { cause },
  );
}

function reason(error: Error): string {
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return "a part of its path is a file, not a folder";
  }
  if (error instanceof Deno.errors.FilesystemLoop) return "its symbolic links form a loop";
  // Deno adds the call and the absolute path: `…(os error 13): open '/x'`.
  return error.message.replace(/(?: \(os error \d+\))?: \w+ '[^]*$/, "");
}
