import type {
  Environment,
  FetchOptions,
  FetchResult,
  FileStat,
  FolderEntry,
  ReadOptions,
  Shells,
} from "./environment.ts";
import { childEnv } from "./child_env.ts";
import { fileError } from "./file_error.ts";
import { lockKey, replaceFile, writeTarget } from "./file_writer.ts";
import { hostFetch } from "./host_fetch.ts";
import { listPath, readPath, statPath } from "./host_files.ts";
import { PathLocks } from "./path_locks.ts";
import { requireFileName, resolvePath } from "./paths.ts";
import { findShell } from "./shell_program.ts";
import { HostShells } from "./shells.ts";

export interface HostEnvironmentOptions {
  /** Absolute real path. */
  readonly workspace: string;
  /** The user's home, for `~`; undefined where there is none. */
  readonly homeFolder: string | undefined;
  /** Absolute; where output of shells goes that memory shall not hold. Made when needed. */
  readonly outputFolder: string;
  /** Variables as the process has them, API keys included. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that children get although they look like keys. */
  readonly envPass: readonly string[];
  /** Names of the variables in which providers look for keys, such as `OPENAI_API_KEY`. */
  readonly providerKeys: readonly string[];
  /** Give environments of one process the same, so that their edits of a file wait too. */
  readonly locks?: PathLocks;
}

/** The machine itself, with all that the process may do: no sandbox. */
export class HostEnvironment implements Environment {
  readonly workspace: string;
  readonly platform: string = Deno.build.os;
  readonly #options: HostEnvironmentOptions;
  readonly #locks: PathLocks;

  constructor(options: HostEnvironmentOptions) {
    this.workspace = options.workspace;
    this.#options = options;
    this.#locks = options.locks ?? new PathLocks();
  }

  resolve(path: string): string {
    return resolvePath(path, this.#options);
  }

  async stat(path: string): Promise<FileStat> {
    return await statPath(this.resolve(path), path);
  }

  async listFolder(path: string): Promise<readonly FolderEntry[]> {
    return await listPath(this.resolve(path), path);
  }

  async readFile(path: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>> {
    return await readPath(this.resolve(path), path, options);
  }

  async writeFile(path: string, data: Uint8Array): Promise<void> {
    requireFileName(path);
    try {
      const target = await writeTarget(this.resolve(path));
      await this.#locks.run(await lockKey(target), () => replaceFile(target, data, path));
    } catch (error) {
      throw fileError(error, "write", path);
    }
  }

  async updateFile(
    path: string,
    change: (data: Uint8Array<ArrayBuffer>) => Uint8Array,
  ): Promise<void> {
    const { path: absolute } = await this.stat(path);
    try {
      const target = await Deno.realPath(absolute);
      await this.#locks.run(await lockKey(target), async () => {
        const changed = change(await readPath(target, path));
        await replaceFile(target, changed, path);
      });
    } catch (error) {
      throw fileError(error, "write", path);
    }
  }

  async fetch(url: string, options: FetchOptions): Promise<FetchResult> {
    return await hostFetch(url, options, { env: this.#options.env });
  }

  shellName(): Promise<string> {
    const shell = findShell(this.#options.env);
    return Promise.resolve(shell?.name ?? "sh");
  }

  createShells(): Shells {
    const { workspace, outputFolder, env, envPass, providerKeys } = this.#options;
    return new HostShells({
      workspace,
      outputFolder,
      resolve: (path) => this.resolve(path),
      env: childEnv(env, envPass, providerKeys),
    });
  }
}
