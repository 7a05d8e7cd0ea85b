import { dirname, join } from "@std/path";
import { BubError } from "../errors.ts";
import { moved } from "./file_error.ts";
import { type AccessBounds, type Bounds, type PathRule, realSpelling } from "./bounds.ts";
import type { PathWatch } from "./file_writer.ts";
import { isGranted, requireGranted } from "./granted.ts";
import { type Place, traceLinks } from "./link_trace.ts";
import { judgePath, type PathAccess, realByRule } from "./path_rules.ts";
import { removeTemporary, temporaryPath } from "./temporary_path.ts";

/**
 * How often a path is looked at before what was opened there is trusted. Deno opens by path alone,
 * and another program may put a link in a folder's place at any moment: to pass, it would have to
 * put the folder back before each of these looks and the link before the one that follows.
 */
const LOOKS = 12;

/** Keeps file operations within bounds: through links too, and while links come and go. */
export class PathGuard implements PathWatch {
  readonly #bounds: Pick<Bounds, PathAccess>;

  constructor(bounds: Pick<Bounds, PathAccess>) {
    this.#bounds = bounds;
  }

  /**
   * The real path that `path`, which is absolute, leads to, also where there is nothing yet; for
   * writing it must be within the bounds of reading too, since it is looked at. Throws `permission`
   * when its spelling, a link on its way or its real path is out of bounds, before anything is found
   * out about what is there; else the errors of the file system. `given` is the path as the caller
   * wrote it.
   */
  locate(path: string, access: PathAccess, given: string): string {
    const judge = this.#currentJudge(access);
    const outside = judge(path);
    if (outside !== undefined) throw outside;
    requireGranted({ name: "read", path });
    const real = realPath(path);
    if (real !== undefined && judge(real) === undefined) {
      requireGranted({ name: "read", path: real });
      return real;
    }
    // The links tell which one leads out; of what is missing they tell where it would be.
    const enter = (next: string) => {
      const outside = judge(next);
      if (outside !== undefined) throw elsewhere(given, outside);
    };
    const target = realPlace(traceLinks(path, enter), this.#bounds[access]);
    enter(target);
    requireGranted({ name: "read", path: target });
    return target;
  }

  /** Makes the folder at `path`, a real one, and those above it that are missing. */
  async makeFolder(path: string): Promise<void> {
    if (!isGranted({ name: "read", path }) || realPath(path) !== undefined) return;
    await this.makeFolder(dirname(path));
    const outside = this.#currentJudge("write")(path);
    if (outside !== undefined) throw outside;
    requireGranted({ name: "write", path });
    const temporary = temporaryPath(dirname(path));
    if (temporary === undefined) return this.#makeAtOnce(path);
    this.#makeAtOnce(temporary);
    try {
      this.#nameAtOnce(temporary, path);
    } catch (error) {
      await removeTemporary(temporary);
      // Another program has made it by now; what is made in it looks at it again.
      if (realPath(path) !== path) throw error;
    }
  }

  /** Whether `path`, a real one, surely leads to what `info` tells of. */
  holds(path: string, { dev, ino }: Deno.FileInfo): boolean {
    for (let looks = 0; looks < LOOKS; looks++) {
      if (realPath(path) !== path) return false;
      const now = unlessFails(() => Deno.lstatSync(path));
      if (now?.dev !== dev || now.ino !== ino) return false;
    }
    return true;
  }

  before(path: string): void {
    const folder = dirname(path);
    // A rule for one file alone: its folder stays what it was when the rules were resolved.
    if (!isGranted({ name: "read", path: folder })) return;
    for (let looks = 0; looks < LOOKS; looks++) {
      if (realPath(folder) !== folder) throw moved(path);
    }
  }

  opened(path: string, file: Deno.FsFile): void {
    if (!this.holds(path, file.statSync())) throw moved(path);
  }

  #makeAtOnce(folder: string): void {
    this.before(folder);
    Deno.mkdirSync(folder);
  }

  /** Within one folder: should that be another by now, what was made is not in it. */
  #nameAtOnce(made: string, path: string): void {
    for (let looks = 0; looks < LOOKS; looks++) {
      if (realPath(made) !== made) throw moved(made);
    }
    Deno.renameSync(made, path);
  }

  /** Judges paths by the rules that an access is bounded by at this moment. */
  #currentJudge(access: PathAccess): (path: string) => BubError | undefined {
    const bounds = this.#currentBounds(access);
    if (access === "read") return (path) => judgePath(bounds, "read", path);
    const read = this.#currentBounds("read");
    return (path) => judgePath(bounds, "write", path) ?? judgePath(read, "read", path);
  }

  /** The rules with the real paths that denied ones have at this moment. */
  #currentBounds(access: PathAccess): AccessBounds<PathRule> {
    const { allow, deny } = this.#bounds[access];
    if (deny === true) return { allow, deny };
    return { allow, deny: deny.map((rule) => ({ ...rule, real: realSpelling(rule.path) })) };
  }
}

function elsewhere(given: string, { message }: BubError): BubError {
  return new BubError("permission", `${given} leads elsewhere: ${message}`);
}

function realPlace({ found, rest }: Place, bounds: AccessBounds<PathRule>): string {
  return isGranted({ name: "read", path: found })
    ? join(Deno.realPathSync(found), ...rest)
    : realByRule(bounds, join(found, ...rest));
}

/** Undefined where there is nothing, or what is there cannot be reached. */
function realPath(path: string): string | undefined {
  return unlessFails(() => Deno.realPathSync(path));
}

function unlessFails<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
