import { isAbsolute, join, resolve } from "@std/path";
import { BubError } from "../errors.ts";
import { isGranted } from "./permission.ts";

/** Where the home folder is. */
export interface HomePlace {
  /** Absolute; undefined: there is none, for the `reason`. */
  readonly path: string | undefined;
  /** Named by `BUB_HOME`: then nothing else will do. */
  readonly explicit: boolean;
  readonly reason?: string;
}

/** A home folder that can be written to until it is disposed of. */
export interface Home extends Disposable {
  readonly path: string;
  /** False: a temporary folder that goes with this object. */
  readonly persistent: boolean;
  /** What to tell the user about it. */
  readonly notice: string | null;
}

/** Finds the home folder without touching it. With `BUB_HOME` the default is not even computed. */
export function findHome(env: Readonly<Record<string, string>>): HomePlace {
  if (env.BUB_HOME) {
    const home = env.BUB_HOME.replace(/^~(?=$|[/\\])/, () => userFolder(env) ?? "~");
    return { path: isAbsolute(home) ? home : resolve(Deno.cwd(), home), explicit: true };
  }
  const variable = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";
  const user = userFolder(env);
  if (user === undefined) {
    return { path: undefined, explicit: false, reason: `${variable} is not set` };
  }
  if (!isAbsolute(user)) {
    return {
      path: undefined,
      explicit: false,
      reason: `${variable} must be an absolute path, not "${user}"`,
    };
  }
  return { path: join(user, ".bub"), explicit: false };
}

/** The folder of the user, where the variables tell it. */
export function userFolder(env: Readonly<Record<string, string>>): string | undefined {
  return (Deno.build.os === "windows" ? env.USERPROFILE : env.HOME) || undefined;
}

/**
 * Makes sure that the home folder exists and takes files. The default one is replaced by a
 * temporary folder when it cannot be used, which `notice` says; `BUB_HOME` is never replaced.
 * Throws `config`.
 */
export function openHome(place: HomePlace): Home {
  const problem = place.path === undefined ? place.reason : unusable(place.path, place.explicit);
  if (place.path !== undefined && problem === undefined) {
    return { path: place.path, persistent: true, notice: null, [Symbol.dispose]() {} };
  }
  if (place.explicit) {
    throw new BubError("config", `BUB_HOME=${place.path} cannot be used: ${problem}`);
  }
  return temporaryHome(`${problem}`);
}

function temporaryHome(problem: string): Home {
  let path: string;
  try {
    path = makeTemporaryFolder();
  } catch (cause) {
    throw new BubError(
      "config",
      `there is no home folder: ${problem}; set BUB_HOME to a folder that can be written to`,
      { cause },
    );
  }
  return {
    path,
    persistent: false,
    notice: `nothing will be saved: ${problem}; BUB_HOME can name another folder`,
    [Symbol.dispose]() {
      try {
        Deno.removeSync(path, { recursive: true });
      } catch {
        // The system cleans its temporary folder up.
      }
    },
  };
}

function makeTemporaryFolder(): string {
  if (!isGranted({ name: "write" })) {
    throw new Deno.errors.NotCapable("write access is not granted");
  }
  return Deno.makeTempDirSync({ prefix: "bub-home-" });
}

/** Why a folder cannot serve as home; undefined: it can. Creates it, but not the user's own folder. */
function unusable(path: string, explicit: boolean): string | undefined {
  for (const name of ["read", "write"] as const) {
    if (!isGranted({ name, path })) {
      return `${name} access to ${path} is not allowed; --allow-${name}=${path} grants it`;
    }
  }
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

function cannotCreate(path: string, cause: unknown): string {
  if (cause instanceof Deno.errors.NotFound) return `${join(path, "..")} does not exist`;
  return `${path} cannot be made: ${reason(cause)}`;
}

/** The system's own words, without the call that Deno appends. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/ \(os error.*$/s, "").replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
}
