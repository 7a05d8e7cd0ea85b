import { SEPARATOR } from "@std/path";
import type { BubError } from "../errors.ts";
import type { AccessBounds, PathRule } from "./bounds.ts";
import { denied, notAllowed, ownFile } from "./denial.ts";

export type PathAccess = "read" | "write";

/** Where `A` and `a` may be one file, and é two sequences of characters. */
const FOLDS = Deno.build.os === "windows" || Deno.build.os === "darwin";

/**
 * Why `path`, which is absolute, is out of bounds, by its spelling alone; undefined: it is not. A
 * rule covers its path, by either of its spellings, and everything below. Where names may be
 * spelled in several ways an allow rule takes only its own, a deny rule all of them.
 */
export function judgePath(
  { allow, deny }: AccessBounds<PathRule>,
  access: PathAccess,
  path: string,
): BubError | undefined {
  if (deny === true) return denied(access, path, true);
  const folded = fold(path);
  const denier = deny.find((rule) =>
    covers(fold(rule.path), folded) || covers(fold(rule.real), folded)
  );
  if (denier?.own) return ownFile(access, path);
  if (denier !== undefined) return denied(access, path, denier.written);
  if (allow === true || allow.some((rule) => coversEither(rule, path))) return undefined;
  return notAllowed(access, path);
}

/** `path`, below a rule's given spelling, below its real one; other paths as they are. */
export function realByRule({ allow }: AccessBounds<PathRule>, path: string): string {
  const rule = allow === true ? undefined : allow.find((rule) => covers(rule.path, path));
  return rule === undefined ? path : rule.real + path.slice(rule.path.length);
}

function coversEither(rule: PathRule, path: string): boolean {
  return covers(rule.path, path) || covers(rule.real, path);
}

/** Whether `path` is `folder` or below it. */
function covers(folder: string, path: string): boolean {
  return path === folder ||
    path.startsWith(folder.endsWith(SEPARATOR) ? folder : folder + SEPARATOR);
}

function fold(path: string): string {
  return FOLDS ? path.normalize().toLowerCase() : path;
}
