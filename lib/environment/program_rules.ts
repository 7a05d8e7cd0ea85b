import { basename, isAbsolute, join } from "@std/path";
import type { BubError } from "../errors.ts";
import type { AccessBounds } from "./bounds.ts";
import { denied, notAllowed } from "./denial.ts";
import { isGranted } from "./granted.ts";

/** What names of programs leave out. */
const SUFFIX = Deno.build.os === "windows" ? ".exe" : "";

/**
 * Rules of programs, by name or by path, as they stand with a value of `PATH`. Of that its absolute
 * folders count: a relative one may be the workspace, where anything could bear a program's name.
 */
export class ProgramRules {
  readonly #bounds: AccessBounds<string>;
  readonly #folders: readonly string[];

  /** `path` is the value of `PATH`. */
  constructor(bounds: AccessBounds<string>, path: string) {
    this.#bounds = bounds;
    this.#folders = path.split(Deno.build.os === "windows" ? ";" : ":").filter(isAbsolute);
  }

  /** What allow rules name, each as `find()` finds it. */
  get allowedFiles(): readonly string[] {
    const { allow } = this.#bounds;
    return allow === true ? [] : allow.map((rule) => this.find(rule));
  }

  /**
   * Why `program`, a name or an absolute path, is out of bounds; undefined: it is not. As in Deno a
   * rule means the file it leads to on `PATH`, and denying a name denies every file of that name;
   * here denying a file also denies the links to it.
   */
  judge(program: string): BubError | undefined {
    const { allow, deny } = this.#bounds;
    if (deny === true) return denied("run", program, true);
    const file = this.find(program);
    const real = realFile(file) ?? file;
    const denier = deny.find((rule) => {
      const forbidden = this.find(rule);
      return basename(file, SUFFIX) === rule || forbidden === file || realFile(forbidden) === real;
    });
    if (denier !== undefined) return denied("run", program, denier);
    if (allow === true || allow.some((rule) => this.find(rule) === file)) return undefined;
    return notAllowed("run", program);
  }

  /** The first file of that name on `PATH`; the name itself where none can be seen. */
  find(program: string): string {
    if (isPath(program)) return program;
    const files = this.#folders.map((folder) => join(folder, program + SUFFIX));
    return files.find((file) => realFile(file) !== undefined) ?? program;
  }
}

function isPath(program: string): boolean {
  return /[/\\]/.test(program);
}

/** Undefined for what is no file, or may not be looked at. */
function realFile(path: string): string | undefined {
  if (!isPath(path) || !isGranted({ name: "read", path })) return undefined;
  try {
    const real = Deno.realPathSync(path);
    return Deno.statSync(real).isFile ? real : undefined;
  } catch {
    return undefined;
  }
}
