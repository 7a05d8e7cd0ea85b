import type { Environment } from "../environment/environment.ts";
import { BubError } from "../errors.ts";

const MIB = 1024 * 1024;

/** What can read files: an Environment, or for the user's own the machine. */
export type FileReader = Pick<Environment, "stat" | "readFile">;

export interface BoundedRead {
  /** Whole MiB. */
  readonly maxMiB: number;
  readonly signal: AbortSignal;
}

/**
 * The bytes of a file. Its size is checked before it is read, and again should it grow meanwhile:
 * throws `tool` for one that has more.
 */
export async function readBounded(
  path: string,
  files: FileReader,
  { maxMiB, signal }: BoundedRead,
): Promise<Uint8Array<ArrayBuffer>> {
  const maxBytes = maxMiB * MIB;
  const check = (size: number) => {
    if (size <= maxBytes) return;
    throw new BubError("tool", `${path} has ${size} bytes; at most ${maxMiB} MiB are read`);
  };
  const { kind, size } = await files.stat(path);
  if (kind === "file") check(size);
  const data = await files.readFile(path, { maxBytes, signal });
  check(data.length);
  return data;
}
