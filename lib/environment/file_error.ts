import { BubError, toBubError } from "../errors.ts";
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

/** Throws unless `kind` is a regular file; `given` is the path as the caller wrote it. */
export function requireFile(kind: FileKind, given: string): void {
  if (kind === "file") return;
  throw new BubError("tool", `${given} is ${KIND_NAMES[kind]}, not a regular file`);
}

/** A failure of the file system as a `BubError` about `given`, the path as the caller wrote it. */
export function fileError(thrown: unknown, action: "read" | "write", given: string): unknown {
  if (thrown instanceof Deno.errors.NotCapable) return toBubError(thrown);
  if (thrown instanceof BubError || !(thrown instanceof Error)) return thrown;
  if (thrown instanceof DOMException) return thrown;
  const options = { cause: thrown };
  if (thrown instanceof Deno.errors.NotFound) {
    return new BubError("not_found", `no such file or folder: ${given}`, options);
  }
  return new BubError("tool", `cannot ${action} ${given}: ${reason(thrown)}`, options);
}

function reason(error: Error): string {
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return "a part of its path is a file, not a folder";
  }
  if (error instanceof Deno.errors.FilesystemLoop) return "its symbolic links form a loop";
  // Deno adds the call and the absolute path: `…(os error 13): open '/x'`.
  return error.message.replace(/(?: \(os error \d+\))?: \w+ '[^]*$/, "");
}
