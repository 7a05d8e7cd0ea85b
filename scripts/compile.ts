/**
 * Builds the program: `deno task compile [--target TARGET] [--folder dist] [-- FLAGS]`. Leaves
 * `bub-<target>` and its line of SHA256SUMS in the folder; FLAGS are those of `deno compile`. Permission
 * flags among them take the place of the permission set "bub" of deno.json.
 */
import { parseArgs } from "@std/cli/parse-args";
import { basename, fromFileUrl, join, resolve } from "@std/path";
import { commit } from "../lib/version.ts";
import { GENERATED, replaceFile, ROOT } from "./import_map.ts";
import { programFlags } from "./program_flags.ts";
import { say } from "./say.ts";

/** Long and short flags that say what the program may do. */
const PERMISSION_FLAG = /^(--(allow|deny|ignore)-|--permission-set|-[APRWNESI])/;

/** Whole folders: modules that are imported by a name in a variable (see main.ts) count too. */
const SOURCES = ["lib", "tools"];

export interface CompileOptions {
  /** One of `deno compile --target`. */
  readonly target: string;
  /** Where the program and its checksum go: an absolute path. */
  readonly folder: string;
  /** Further flags of `deno compile`. */
  readonly flags: readonly string[];
}

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const unknown: string[] = [];
  const { target, folder, "--": flags } = parseArgs(Deno.args, {
    string: ["target", "folder"],
    default: { target: Deno.build.target, folder: "dist" },
    "--": true,
    unknown: (arg) => void unknown.push(arg),
  });
  if (unknown.length > 0 || target === "" || folder === "") {
    const usage = "[--target TARGET] [--folder FOLDER] [-- FLAGS of deno compile]";
    say(`error: takes ${usage}, but got ${Deno.args.join(" ")}`);
    return 2;
  }
  const program = await compile({ target, folder: resolve(fromFileUrl(ROOT), folder), flags });
  if (program === undefined) return 1;
  say(program);
  const base = Deno.env.get("DENORT_BIN");
  if (base) say(`Its base is DENORT_BIN=${base}; it was not started.`);
  return 0;
}

/** Compiles the program and returns its path, or undefined when that failed and has been said. */
export async function compile(options: CompileOptions): Promise<string | undefined> {
  const { target, folder, flags } = options;
  const extension = target.includes("windows") ? ".exe" : "";
  const program = join(folder, `bub-${target}${extension}`);
  const stamp = new URL("commit.txt", GENERATED);
  replaceFile(stamp, `${commit() ?? ""}\n`);
  const narrowed = flags.some((flag) => PERMISSION_FLAG.test(flag));
  const common = programFlags().filter((flag) => !(narrowed && flag.startsWith("-P")));
  const failure = await denoCompile([
    ...common,
    `--target=${target}`,
    `--include=${fromFileUrl(stamp)}`,
    ...SOURCES.map((name) => `--include=${fromFileUrl(new URL(name, ROOT))}`),
    `--output=${program}`,
    ...flags,
    fromFileUrl(new URL("main.ts", ROOT)),
  ]);
  if (failure === undefined) {
    await addChecksum(program);
    return program;
  }
  if (/\bdenort-/.test(failure) && !Deno.env.get("DENORT_BIN")) {
    say(
      `error: "deno compile" could not download denort, the runtime it puts in front of the ` +
        `program; where the network is closed, DENORT_BIN names a file to take instead`,
    );
  }
  return undefined;
}

/** Undefined when it worked, else what it said on standard error, which has been passed on. */
async function denoCompile(args: readonly string[]): Promise<string | undefined> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fromFileUrl(new URL("scripts/deno.ts", ROOT)), "compile", ...args],
    cwd: ROOT,
    stdin: "null",
    stderr: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of child.stderr) {
    Deno.stderr.writeSync(chunk);
    said += decoder.decode(chunk, { stream: true });
  }
  return (await child.status).success ? undefined : said;
}

/** Puts the checksum of a file into the SHA256SUMS beside it, in the form of `sha256sum`. */
async function addChecksum(file: string): Promise<void> {
  const sums = join(file, "..", "SHA256SUMS");
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(file));
  const name = basename(file);
  const line = `${new Uint8Array(digest).toHex()}  ${name}`;
  const others = (await readLines(sums)).filter((other) => !other.endsWith(`  ${name}`));
  await Deno.writeTextFile(sums, [...others, line].sort(byName).join("\n") + "\n");
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await Deno.readTextFile(file)).split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function byName(a: string, b: string): number {
  return a.slice(66) < b.slice(66) ? -1 : 1;
}
