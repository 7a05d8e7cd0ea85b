import { HostEnvironment } from "../../lib/environment/host.ts";

/** A host environment over a folder of its own, which goes with it. */
export interface TemporaryHost extends AsyncDisposable {
  readonly environment: HostEnvironment;
  /** The workspace: absolute and real. */
  readonly folder: string;
}

export async function temporaryHost(): Promise<TemporaryHost> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub_env_" }));
  const folder = `${root}/work space`;
  await Deno.mkdir(folder);
  await Deno.mkdir(`${root}/home`);
  const environment = new HostEnvironment({
    workspace: folder,
    homeFolder: `${root}/home`,
    outputFolder: `${root}/output`,
    env: { ...Deno.env.toObject(), BUB_API_KEY: "secret", BUB_X_API_KEY: "secret" },
    envPass: [],
    providerKeys: ["OPENAI_API_KEY"],
  });
  return {
    environment,
    folder,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
