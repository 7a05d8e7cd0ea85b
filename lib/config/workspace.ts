import { fromFileUrl, isAbsolute, join, resolve } from "@std/path";
import { isGranted } from "../environment/granted.ts";
import { BubError } from "../errors.ts";

/**
 * The real path of the folder that `-w` names, or of the current one. Throws `config` when it is
 * missing or no folder.
 */
export function resolveWorkspace(
  flag: string | undefined,
  env: Readonly<Record<string, string>>,
): string {
  const path = flag === undefined ? startFolder(env) : absolute(flag, env);
  const name = flag === undefined ? path : flag;
  if (!isGranted({ name: "read", path })) return path;
  let real: string;
  try {
    real = Deno.realPathSync(path);
  } catch (cause) {
    const missing = cause instanceof Deno.errors.NotFound;
    const problem = missing ? "does not exist" : `cannot be opened: ${(cause as Error).message}`;
    throw new BubError("config", `the workspace ${name} ${problem}`, { cause });
  }
  if (!Deno.statSync(real).isDirectory) {
    throw new BubError("config", `the workspace ${name} must be a folder, but it is a file`);
  }
  return real;
}

/** The folder that relative paths of the command line mean. Throws `config` when it is gone. */
export function startFolder(env: Readonly<Record<string, string>>): string {
  const current = currentFolder();
  // `deno task` runs in the folder of deno.json and says where it was called. Other programs'
  // tasks set the same variable: it counts only for our own deno.json.
  const called = env.INIT_CWD;
  if (!called || !isSourceFolder(current) || !isFolder(called)) return current;
  return called;
}

function currentFolder(): string {
  try {
    return Deno.cwd();
  } catch (cause) {
    throw new BubError("config", "the current folder does not exist any more; name one with -w", {
      cause,
    });
  }
}

function isSourceFolder(folder: string): boolean {
  if (Deno.build.standalone || !import.meta.url.startsWith("file:")) return false;
  return resolve(fromFileUrl(import.meta.url), "../../..") === folder;
}

function isFolder(path: string): boolean {
  if (!isGranted({ name: "read", path })) return false;
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function absolute(path: string, env: Readonly<Record<string, string>>): string {
  const home = Deno.build.os === "windows" ? env.USERPROFILE : env.HOME;
  if (home && /^~(?=$|[/\\])/.test(path)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(startFolder(env), path);
}
