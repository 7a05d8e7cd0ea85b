import type { Scope } from "../../lib/environment/scope.ts";
import { ScopedEnvironment } from "../../lib/environment/scoped.ts";

/** A scoped environment over a folder of its own, which goes with it. */
export interface TemporaryScope extends AsyncDisposable {
  readonly environment: ScopedEnvironment;
  /** The folder that all is in: absolute and real. */
  readonly root: string;
  /** The workspace: a folder in `root`. */
  readonly folder: string;
  /** Another folder in `root`, in which `secret` holds `SECRET`. */
  readonly outside: string;
}

export const SECRET = "the secret outside";

export interface TemporaryScopeOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** In the root. */
  readonly ownFiles?: readonly string[];
}

/** `scope` gets the workspace and the root. */
export async function temporaryScope(
  scope: Scope | ((folder: string, root: string) => Scope),
  { env = {}, ownFiles = [] }: TemporaryScopeOptions = {},
): Promise<TemporaryScope> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub_scope_" }));
  const folder = `${root}/work space`;
  const outside = `${root}/outside`;
  await Deno.mkdir(folder);
  await Deno.mkdir(`${root}/home`);
  await Deno.mkdir(outside);
  await Deno.writeTextFile(`${outside}/secret`, SECRET);
  const environment = new ScopedEnvironment({
    workspace: folder,
    homeFolder: `${root}/home`,
    outputFolder: `${root}/output`,
    env: { ...Deno.env.toObject(), BUB_API_KEY: "secret", BUB_X_API_KEY: "secret", ...env },
    envPass: [],
    providerKeys: ["OPENAI_API_KEY"],
    ownFiles: ownFiles.map((path) => `${root}/${path}`),
    scope: typeof scope === "function" ? scope(folder, root) : scope,
  });
  return {
    environment,
    root,
    folder,
    outside,
    async [Symbol.asyncDispose]() {
      environment[Symbol.dispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
}
