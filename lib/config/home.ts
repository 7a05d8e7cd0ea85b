import { dirname, isAbsolute, join, resolve } from "@std/path";
import { isGranted } from "../environment/granted.ts";
import { BubError, missingAccess } from "../errors.ts";

/** Where the home folder is. */
export interface HomePlace {
  /** Absolute; undefined: there is none, for the `reason`. */
  readonly path: string | undefined;
  /** Named by `BUB_HOME`: then nothing else will do. */
  readonly explicit: boolean;
  readonly reason?: string;
  /** The system's folder for temporary files. */
  readonly temporary: string;
}

/** Where a run keeps things until it is disposed of. */
export interface Home extends Disposable {
  /** The home folder; undefined: there is none that takes files, and nothing is saved. */
  readonly path: string | undefined;
  /**
   * Absolute: for what must be a file while the run lasts. Without a home folder a temporary one
   * that goes with this object; where not even that can be had, one that will not take files.
   */
  readonly scratch: string;
  /** What to tell the user about it. */
  readonly notice: string | null;
}

/** Finds the home folder without touching it. With `BUB_HOME` the default is not even computed. */
export function findHome(env: Readonly<Record<string, string>>): HomePlace {
  const temporary = temporaryFolder(env);
  if (env.BUB_HOME) {
    const home = env.BUB_HOME.replace(/^~(?=$|[/\\])/, () => userFolder(env) ?? "~");
    const path = isAbsolute(home) ? home : resolve(Deno.cwd(), home);
    return { path, explicit: true, temporary };
  }
  const variable = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";
  const user = userFolder(env);
  if (user !== undefined && isAbsolute(user)) {
    return { path: join(user, ".bub"), explicit: false, temporary };
  }
  return { path: undefined, explicit: false, reason: noUserFolder(user, variable), temporary };
}

function noUserFolder(user: string | undefined, variable: string): string {
  if (user !== undefined) return `${variable} must be an absolute path, not "${user}"`;
  return isGranted({ name: "env", variable })
    ? `${variable} is not set`
    : missingAccess("env", variable);
}

/** The system's folder for temporary files; absolute. */
export function temporaryFolder(env: Readonly<Record<string, string>>): string {
  if (Deno.build.os !== "windows") return resolve(env.TMPDIR || "/tmp");
  return resolve(env.TMP || env.TEMP || "C:\\Windows\\Temp");
}

/** The folder of the user, where the variables tell it. */
export function userFolder(env: Readonly<Record<string, string>>): string | undefined {
  return (Deno.build.os === "windows" ? env.USERPROFILE : env.HOME) || undefined;
}

/**
 * Makes sure that the home folder exists and takes files. Without the default one nothing is saved,
 * which `notice` says; when `BUB_HOME` cannot be used this throws `config`.
 */
export function openHome(place: HomePlace): Home {
  const { path, explicit } = place;
  const problem = path === undefined ? place.reason : unusable(path, explicit);
  if (path !== undefined && problem === undefined) return untouchedHome(place);
  if (explicit) throw new BubError("config", `BUB_HOME=${path} cannot be used: ${problem}`);
  const notice = `nothing will be saved: ${problem}; BUB_HOME can name another folder`;
  const temporary = makeTemporaryFolder(place.temporary);
  if (temporary === undefined) return { ...untouchedHome(place), path: undefined, notice };
  return { path: undefined, scratch: temporary, notice, [Symbol.dispose]: () => remove(temporary) };
}

/** The home folder as it is, be it there or not: for commands that save nothing. */
export function untouchedHome({ path, reason, temporary }: HomePlace): Home {
  const notice = path === undefined
    ? `there is no home folder: ${reason}; BUB_HOME can name one`
    : null;
  return { path, scratch: path ?? join(temporary, "bub"), notice, [Symbol.dispose]() {} };
}

/**
 * Why nothing could be saved in the home folder; undefined: all is well, as far as can be told
 * without making it. Another program may be making it at this moment, so that it is not tried out.
 */
export function homeProblem({ path, explicit, reason }: HomePlace): string | undefined {
  if (path === undefined) return reason;
  if (exists(path)) return unusable(path, explicit);
  const refused = refusedAccess(path);
  if (refused !== undefined) return refused;
  let parent = dirname(path);
  while (explicit && !exists(parent)) parent = dirname(parent);
  if (refusedAccess(parent) !== undefined) return undefined;
  try {
    Deno.removeSync(Deno.makeTempDirSync({ dir: parent, prefix: ".bub-" }));
    return undefined;
  } catch (cause) {
    return cannotCreate(path, cause);
  }
}

function makeTemporaryFolder(dir: string): string | undefined {
  if (!isGranted({ name: "read", path: dir }) || !isGranted({ name: "write", path: dir })) {
    return undefined;
  }
  try {
    return Deno.makeTempDirSync({ dir, prefix: "bub-" });
  } catch {
    return undefined;
  }
}

function remove(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch {
    // The system cleans its temporary folder up.
  }
}

/** Why a folder cannot serve as home; undefined: it can. Creates it, but not the user's own folder. */
function unusable(path: string, explicit: boolean): string | undefined {
  const refused = refusedAccess(path);
  if (refused !== undefined) return refused;
  try {
    Deno.mkdirSync(path, { recursive: explicit, mode: 0o700 });
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AlreadyExists)) return cannotCreate(path, cause);
  }
  try {
    Deno.removeSync(Deno.makeTempFileSync({ dir: path, prefix: ".probe-" }));
    return undefined;
  } catch (cause) {
    return `no file can be made in ${path}: ${reason(cause)}`;
  }
}

/** What of reading and writing a folder is not allowed, as a sentence. */
function refusedAccess(path: string): string | undefined {
  const name = (["read", "write"] as const).find((name) => !isGranted({ name, path }));
  return name && missingAccess(name, path);
}

function cannotCreate(path: string, cause: unknown): string {
  if (!(cause instanceof Deno.errors.NotFound)) return `${path} cannot be made: ${reason(cause)}`;
  const parent = dirname(path);
  // Some, such as /proc, are there and say "not found" of what shall be made in them.
  return exists(parent) ? `no folder can be made in ${parent}` : `${parent} does not exist`;
}

/** Whether there is something at a path; where we may not look it counts as there. */
function exists(path: string): boolean {
  if (!isGranted({ name: "read", path })) return true;
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The system's own words, without the call that Deno appends. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/ \(os error.*$/s, "").replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
}
