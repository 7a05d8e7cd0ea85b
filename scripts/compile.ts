/**
 * Builds the program: `deno task compile [--target TARGET] [--folder dist] [-- FLAGS]`. Leaves
 * `bub-<target>` and its line of SHA256SUMS in the folder; FLAGS are those of `deno compile`. Permission
 * flags among them take the place of the permission set "bub" of deno.json.
 */
import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl, join, resolve } from "@std/path";
import { commit } from "../lib/version.ts";
import { isBaseFor } from "./compile/base.ts";
import { addChecksum } from "./compile/checksums.ts";
import { datePackages, findPackages, licences, namelessFiles } from "./compile/packages.ts";
import { Stage } from "./compile/stage.ts";
import { programName, type Target, TARGETS } from "./compile/target.ts";
import { ROOT } from "./import_map.ts";
import { programFlags } from "./program_flags.ts";
import { say } from "./say.ts";

/** Exit code where the runtime that `deno compile` puts in front of the program cannot be had. */
const NO_BASE = 3;

/** Long and short flags that say what the program may do. */
const PERMISSION_FLAG = /^(--(allow|deny|ignore)-|--permission-set|-[APRWNESI])/;

export interface CompileOptions {
  readonly target: Target;
  /** Where the program and its checksum go: an absolute path. */
  readonly folder: string;
  /** Further flags of `deno compile`. */
  readonly flags: readonly string[];
}

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const unknown: string[] = [];
  const { target: name, folder, "--": flags } = parseArgs(Deno.args, {
    string: ["target", "folder"],
    default: { target: Deno.build.target, folder: "dist" },
    "--": true,
    unknown: (arg) => void unknown.push(arg),
  });
  if (unknown.length > 0 || name === "" || folder === "") {
    const usage = "[--target TARGET] [--folder FOLDER] [-- FLAGS of deno compile]";
    say(`error: takes ${usage}, but got ${Deno.args.join(" ")}`);
    return 2;
  }
  const target = TARGETS.find((known) => known === name);
  if (target === undefined) {
    say(`error: the target is ${name}; there is no bub for it, but for ${TARGETS.join(", ")}`);
    return 2;
  }
  const base = Deno.env.get("DENORT_BIN");
  if (base && !await isBaseFor(target, base)) return 1;
  const program = await compile({ target, folder: resolve(fromFileUrl(ROOT), folder), flags });
  if (typeof program === "number") return program;
  say(program);
  if (base) say(`Its base is DENORT_BIN=${base}; it was not started.`);
  return 0;
}

/** Compiles the program and returns its path; where that failed and has been said, an exit code. */
export async function compile(options: CompileOptions): Promise<string | number> {
  const { target, folder, flags } = options;
  const program = join(folder, programName(target));
  await using stage = await Stage.create();
  await stage.write(".deno/commit.txt", `${commit() ?? ""}\n`);
  const excluded = await addPackages(stage);
  const narrowed = flags.some((flag) => PERMISSION_FLAG.test(flag));
  const common = programFlags().filter((flag) => !(narrowed && flag.startsWith("-P")));
  const { success, said } = await stagedDeno(stage, [
    "compile",
    ...common,
    ...stage.flags(),
    ...excluded.map((file) => `--exclude=${file}`),
    // Else it is the name of the output, and with another name storage would be another's.
    "--app-name=bub",
    `--target=${target}`,
    `--output=${program}`,
    ...flags,
    stage.path("main.ts"),
  ]);
  if (success) {
    await addChecksum(program);
    return program;
  }
  if (/\bdenort-/.test(said) && !Deno.env.get("DENORT_BIN")) {
    say(
      `error: "deno compile" could not download denort, the runtime it puts in front of the ` +
        `program; where the network is closed, DENORT_BIN names a file to take instead`,
    );
    return NO_BASE;
  }
  return 1;
}

/** Makes the packages of npm ready, and returns the files of theirs that are to be left out. */
async function addPackages(stage: Stage): Promise<readonly string[]> {
  const lock = stage.path("deno.lock");
  const cache = await npmCache();
  let packages = await findPackages(lock, cache);
  if (packages === undefined) {
    await stagedDeno(stage, ["cache", "--quiet", "--frozen", ...await stage.modules()]);
    packages = await findPackages(lock, cache);
  }
  if (packages === undefined) return [];
  if (!await datePackages(packages)) {
    say("note: the files in Deno's cache cannot be dated; builds elsewhere will differ from this");
  }
  await stage.write(".deno/licences.txt", await licences(packages));
  return namelessFiles(packages);
}

async function npmCache(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-config"],
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).npmCache;
}

/** Runs `deno` on the stage; what it says on standard error is passed on, and returned. */
async function stagedDeno(stage: Stage, args: readonly string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", stage.path("scripts/deno.ts"), ...args],
    cwd: ROOT,
    // A backtrace of Deno's insides tells a user nothing.
    env: { RUST_LIB_BACKTRACE: "0" },
    stdin: "null",
    stderr: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of child.stderr) {
    Deno.stderr.writeSync(chunk);
    said += decoder.decode(chunk, { stream: true });
  }
  const { success } = await child.status;
  return { success, said };
}
