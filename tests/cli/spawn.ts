import { fromFileUrl, resolve } from "@std/path";
import { ROOT } from "../../scripts/import_map.ts";
import { programFlags } from "../../scripts/program_flags.ts";
import { chooseRegistry, flagsFor } from "../../scripts/registry.ts";
import { assert } from "../assert.ts";
import "../../lib/cli/commands.ts";
import "../../lib/model/package/chat.ts";
import "../../lib/model/package/gemini.ts";
import "../../lib/model/package/messages.ts";
import "../../lib/model/package/responses.ts";
import "../../lib/skill/yaml.ts";
import "../../lib/tape/fuzzy.ts";

export interface SpawnOptions {
  /** Variables beside `PATH` and those Deno needs; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input: a text, `none` (closed at once, the default), or `open` (silent). */
  readonly stdin?: { readonly text: string } | "none" | "open";
  /** Deno's permission flags, from source only. @default {those of the task `bub`} */
  readonly permissions?: readonly string[];
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The compiled program that `BUB_BIN` names, from the folder of the task; else the source is run. */
const BINARY = Deno.env.get("BUB_BIN");

/** Whether a compiled program is tested: its permissions are baked in, so `ignore` what sets them. */
export const COMPILED = BINARY !== undefined && BINARY !== "";

const KEPT = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "PATHEXT"];

/**
 * The command line that runs the program: the compiled one, or from source as users and benches run
 * it; `permissions` stand in for the permission set of the task. Nothing is downloaded: what a run
 * loads on its way is in the graph of this module.
 */
export async function bubCommand(
  args: readonly string[],
  permissions?: readonly string[],
): Promise<readonly string[]> {
  if (BINARY) {
    assert(permissions === undefined, "a test that sets permissions must be ignored if COMPILED");
    return [resolve(Deno.env.get("INIT_CWD") ?? "", BINARY), ...args];
  }
  const { registry } = await chooseRegistry();
  const main = fromFileUrl(new URL("main.ts", ROOT));
  const flags = programFlags().filter((flag) => permissions === undefined || flag !== "-P=bub");
  const own = ["run", ...flags, "--cached-only", ...flagsFor(registry), ...permissions ?? []];
  return [Deno.execPath(), ...own, main, ...args];
}

/** The variables of a spawned program: few, and the same on every machine. */
export async function bubEnv(env: Readonly<Record<string, string>> = {}) {
  const kept = KEPT.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), DENO_DIR: await denoDir(), ...env };
}

/** Starts the program; the caller ends it. */
export async function spawnBub(
  args: readonly string[],
  { env, cwd, stdin = "none", permissions }: SpawnOptions = {},
): Promise<Deno.ChildProcess> {
  const [program = "", ...rest] = await bubCommand(args, permissions);
  return new Deno.Command(program, {
    args: rest,
    clearEnv: true,
    env: await bubEnv(env),
    stdin: stdin === "none" ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd === undefined ? {} : { cwd }),
  }).spawn();
}

/** Runs the program to its end. */
export async function bub(args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  const child = await spawnBub(args, options);
  const { stdin = "none" } = options;
  if (typeof stdin === "object") {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin.text));
    await writer.close();
  }
  const { code, stdout, stderr } = await child.output();
  if (stdin === "open") await child.stdin.close().catch(() => undefined);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

let denoDirPath: Promise<string> | undefined;

/** Where Deno keeps what it has downloaded, which it would else look for below `HOME`. */
function denoDir(): Promise<string> {
  return denoDirPath ??= readDenoDir();
}

async function readDenoDir(): Promise<string> {
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json", "--no-config"] });
  const { stdout } = await info.output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
