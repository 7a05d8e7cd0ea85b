import { BubError } from "../errors.ts";
import { requireGranted } from "./granted.ts";

// Named by a variable, so that Deno loads its Node layer only where names are looked up.
const DNS = "node:dns";

/** What says that nobody knows a name: a connection will not find it either. */
const UNKNOWN = ["ENOTFOUND", "ENODATA"];

/**
 * The addresses that a connection to `name` would choose from; none for a name nobody knows. Throws
 * `NotCapable` where that may not be asked, and `tool` where it cannot be found out.
 */
export async function addressesOf(name: string): Promise<readonly string[]> {
  requireGranted({ name: "net", host: name });
  const { promises }: typeof import("node:dns") = await import(DNS);
  try {
    return (await promises.lookup(name, { all: true })).map(({ address }) => address);
  } catch (cause) {
    if (UNKNOWN.some((code) => code === (cause as { code?: unknown }).code)) return [];
    throw new BubError("tool", `cannot find out the addresses of ${name}`, { cause });
  }
}
