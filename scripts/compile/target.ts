/** The platforms that releases are made for, as `deno compile --target` names them. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;
export type Target = typeof TARGETS[number];

/** The file name of the program for a target. */
export function programName(target: Target): string {
  return `bub-${target}${target.includes("windows") ? ".exe" : ""}`;
}

/** How much of an executable `targetOf` looks at, in bytes. */
export const HEAD_BYTES = 4096;

/**
 * The target that an executable was made for, by its first bytes (see `HEAD_BYTES`), or undefined
 * for all others. `deno compile` does not look: it would put any base under any target's name.
 */
export function targetOf(head: Uint8Array<ArrayBuffer>): Target | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const at = (offset: number) => offset + 4 <= head.length ? view.getUint32(offset, true) : 0;
  if (at(0) === ELF) return ELF_MACHINES.get(at(18) & 0xffff);
  if (at(0) === MACH_O) return MACH_O_MACHINES.get(at(4));
  if ((at(0) & 0xffff) !== DOS) return undefined;
  const header = at(60);
  return at(header) === PE ? PE_MACHINES.get(at(header + 4) & 0xffff) : undefined;
}

/** The numbers below are those of each format's header, read in little endian. */
const ELF = 0x464c457f;
const ELF_MACHINES: ReadonlyMap<number, Target> = new Map([
  [62, "x86_64-unknown-linux-gnu"],
  [183, "aarch64-unknown-linux-gnu"],
]);

const MACH_O = 0xfeedfacf;
const MACH_O_MACHINES: ReadonlyMap<number, Target> = new Map([
  [0x01000007, "x86_64-apple-darwin"],
  [0x0100000c, "aarch64-apple-darwin"],
]);

const DOS = 0x5a4d;
const PE = 0x4550;
const PE_MACHINES: ReadonlyMap<number, Target> = new Map([[0x8664, "x86_64-pc-windows-msvc"]]);
