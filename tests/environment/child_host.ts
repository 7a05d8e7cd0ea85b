import { fromFileUrl } from "@std/path";
import type { Scope } from "../../lib/environment/scope.ts";
import type { ErrorReport } from "../../lib/errors.ts";

/** What to do, with what, and the text for writing. */
export type Operation = readonly [
  name: "read" | "write" | "update" | "fetch" | "run",
  target: string,
  text?: string,
];
/** What came of one: a value or an error. */
export type Outcome = { readonly value: string } | { readonly error: ErrorReport };

export interface ChildHostOptions {
  /** Deno's permission flags; default all. */
  readonly permissions?: readonly string[];
  /** A command that starts the rest, such as `setpriv --bounding-set=…`. */
  readonly launcher?: readonly string[];
  /** Bounds of the environment; default none. */
  readonly scope?: Scope;
}

/**
 * Performs operations, one after the other, with a host environment in another process, which has
 * only the permissions given and never asks. The bare imports mean there what they mean here.
 */
export async function inChild(
  workspace: string,
  operations: readonly Operation[],
  { permissions = ["-A"], launcher = [], scope }: ChildHostOptions = {},
): Promise<Outcome[]> {
  const imports = { "@std/path": import.meta.resolve("@std/path") };
  const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
  const [program = "", ...args] = [
    ...launcher,
    Deno.execPath(),
    ...[
      "run",
      "--no-prompt",
      "--quiet",
      "--no-lock",
      "--no-check",
      "--unstable-worker-options",
      `--import-map=${map}`,
    ],
    ...permissions,
    fromFileUrl(import.meta.resolve("./host_child.ts")),
    JSON.stringify({ workspace, operations, scope }),
  ];
  const { stdout, stderr } = await new Deno.Command(program, { args }).output();
  const text = new TextDecoder().decode(stdout);
  if (text === "") throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(text);
}
