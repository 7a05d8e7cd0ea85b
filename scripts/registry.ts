import {
  GENERATED,
  readIfThere,
  replaceFile,
  ROOT,
  STD_ADAPTERS,
  writeImportMap,
} from "./import_map.ts";

/** Where the `@std` modules come from: JSR, or adapters over what npm and Node's modules offer. */
export const REGISTRIES = ["jsr", "npm"] as const;
export type Registry = typeof REGISTRIES[number];

export interface Verdict {
  readonly registry: Registry;
  /** Why it is this one, in words that complete "@std comes from npm: …". */
  readonly reason: string;
}

/** How long a probe may take, in milliseconds. */
const PROBE_MS = 1000;

/** How long a verdict is believed, in milliseconds. */
const BELIEVED_MS = 5 * 60_000;

/**
 * Decides by `BUB_REGISTRY`, else by a verdict of the last minutes, else by trying. Throws a
 * `RangeError` when `BUB_REGISTRY` is neither `jsr` nor `npm`.
 */
export async function chooseRegistry(): Promise<Verdict> {
  const forced = Deno.env.get("BUB_REGISTRY");
  if (forced) {
    const registry = REGISTRIES.find((name) => name === forced);
    if (registry === undefined) {
      throw new RangeError(`BUB_REGISTRY is "${forced}"; it takes ${REGISTRIES.join(" or ")}`);
    }
    return { registry, reason: `BUB_REGISTRY=${registry}` };
  }
  const memory = new VerdictFile();
  const known = memory.read();
  if (known !== undefined) return known;
  const verdict = await probe();
  memory.write(verdict);
  return verdict;
}

/** The flags with which a `deno` command that loads modules finds them all. */
export function flagsFor(registry: Registry): string[] {
  return registry === "jsr" ? [] : [`--import-map=${writeImportMap()}`];
}

/** The verdict of the last probe on disk; of no worth for another cache folder of Deno. */
class VerdictFile {
  readonly #file = new URL("registry.json", GENERATED);
  readonly #cache = Deno.env.get("DENO_DIR") ?? "";

  read(): Verdict | undefined {
    try {
      const { registry, reason, at, cache } = JSON.parse(readIfThere(this.#file) ?? "null") ?? {};
      const age = Date.now() - at;
      if (!REGISTRIES.includes(registry) || cache !== this.#cache) return undefined;
      return age >= 0 && age < BELIEVED_MS ? { registry, reason: String(reason) } : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  write(verdict: Verdict): void {
    const content = { ...verdict, at: Date.now(), cache: this.#cache };
    replaceFile(this.#file, JSON.stringify(content) + "\n");
  }
}

/**
 * Lets Deno itself load the modules, once from its cache alone, then a small one from the network:
 * that way proxies, certificates and mirrors are those of the command that follows.
 */
async function probe(): Promise<Verdict> {
  const all = Object.keys(STD_ADAPTERS);
  const cached = await load(all, ["--cached-only"]);
  if (cached === undefined) return { registry: "jsr", reason: "cached" };
  const reached = await load(["@std/jsonc"], []);
  if (reached === undefined) return { registry: "jsr", reason: "reached" };
  return { registry: "npm", reason: `JSR cannot be used here (${reached})` };
}

/** Undefined when Deno loads the modules, else what kept it from that. */
async function load(modules: readonly string[], flags: readonly string[]) {
  const signal = AbortSignal.timeout(PROBE_MS);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", ...flags, modules.map((name) => `import "${name}";`).join("")],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal,
  }).output();
  if (success) return undefined;
  if (signal.aborted) return `no answer within ${PROBE_MS} ms`;
  const text = new TextDecoder().decode(stderr);
  return /^error: (.+)/m.exec(text)?.[1]?.trim() ?? "unknown error";
}
