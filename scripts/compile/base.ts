import { say } from "../say.ts";
import { HEAD_BYTES, type Target, targetOf } from "./target.ts";

/**
 * Whether `file`, which is to stand in for the runtime that `deno compile` downloads, was made for
 * the target; says what is wrong where it was not.
 */
export async function isBaseFor(target: Target, file: string): Promise<boolean> {
  const made = await madeFor(file);
  if (made === target) return true;
  const fault = made === undefined ? "is no program for any target" : `is one for ${made}`;
  say(`error: the target is ${target}, but DENORT_BIN=${file} ${fault}`);
  return false;
}

async function madeFor(file: string): Promise<Target | undefined> {
  try {
    using base = await Deno.open(file);
    const head = new Uint8Array(HEAD_BYTES);
    return targetOf(head.subarray(0, await base.read(head) ?? 0));
  } catch (error) {
    const none = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.IsADirectory;
    if (none) return undefined;
    throw error;
  }
}
