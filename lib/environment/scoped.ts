import { type Bounds, resolveBounds } from "./bounds.ts";
import { childEnv } from "./child_env.ts";
import { notAllowed } from "./denial.ts";
import type {
  Environment,
  FetchOptions,
  FetchResult,
  FileStat,
  FolderEntry,
  ReadOptions,
  Shells,
} from "./environment.ts";
import type { HostEnvironmentOptions } from "./host.ts";
import { addressesOf } from "./host_names.ts";
import type { SpawnedProcess, SpawnRequest } from "./launcher.ts";
import { requireFileName, resolvePath } from "./paths.ts";
import { ProgramRules } from "./program_rules.ts";
import { proxyVariables } from "./proxy.ts";
import type { Scope } from "./scope.ts";
import { ScopeCalls } from "./scope_calls.ts";
import { workerPermissions } from "./scope_permissions.ts";
import { findShellWithin } from "./scope_shell.ts";
import { mayRun, type ShellProgram } from "./shell_program.ts";
import { HostShells } from "./shells.ts";

export interface ScopedEnvironmentOptions extends Omit<HostEnvironmentOptions, "locks"> {
  readonly scope: Scope;
  /** Absolute paths of files and folders of bub, which no scope lets tools write. */
  readonly ownFiles: readonly string[];
}

/**
 * What a scope leaves of the machine. Files, network and new processes are touched by a Worker that
 * has no permissions but those of the scope; it starts with the first operation and ends with the
 * environment. Output of shells is kept outside of the scope, and processes are ended from here.
 */
export class ScopedEnvironment implements Environment, Disposable {
  readonly workspace: string;
  readonly platform: string = Deno.build.os;
  readonly #options: ScopedEnvironmentOptions;
  readonly #bounds: Bounds;
  readonly #programs: ProgramRules;
  #started: ScopeCalls | undefined;

  constructor(options: ScopedEnvironmentOptions) {
    const { workspace, scope, env, ownFiles } = options;
    this.workspace = workspace;
    this.#options = options;
    this.#bounds = resolveBounds(scope, workspace, ownFiles);
    this.#programs = new ProgramRules(this.#bounds.run, env["PATH"] ?? env["Path"] ?? "");
  }

  resolve(path: string): string {
    return resolvePath(path, this.#options);
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#calls.call("stat", [this.resolve(path), path]);
  }

  async listFolder(path: string): Promise<readonly FolderEntry[]> {
    return await this.#calls.call("listFolder", [this.resolve(path), path]);
  }

  async readFile(
    path: string,
    { maxBytes = Infinity, signal }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    return await this.#calls.call("readFile", [this.resolve(path), path, maxBytes], { signal });
  }

  async writeFile(path: string, data: Uint8Array): Promise<void> {
    requireFileName(path);
    await this.#calls.call("writeFile", [this.resolve(path), path, data]);
  }

  async updateFile(
    path: string,
    change: (data: Uint8Array<ArrayBuffer>) => Uint8Array,
  ): Promise<void> {
    await this.#calls.call("updateFile", [this.resolve(path), path], { answer: change });
  }

  async fetch(url: string, { headers, maxBytes, signal }: FetchOptions): Promise<FetchResult> {
    const options = { signal, answer: addressesOf };
    const result = await this.#calls.call("fetch", [url, [...headers], maxBytes], options);
    return { ...result, headers: new Headers(result.headers) };
  }

  shellName(): Promise<string> {
    return Promise.resolve(this.#findShell()?.name ?? "sh");
  }

  createShells(): Shells {
    const { workspace, outputFolder, env, envPass, providerKeys } = this.#options;
    return new HostShells({
      workspace,
      outputFolder,
      resolve: (path) => this.resolve(path),
      env: childEnv(env, envPass, providerKeys),
      shell: this.#findShell(),
      spawn: (request) => this.#spawn(request),
    });
  }

  [Symbol.dispose](): void {
    this.#started?.[Symbol.dispose]();
  }

  get #calls(): ScopeCalls {
    return this.#started ??= new ScopeCalls(
      new URL("./scope_worker.ts", import.meta.url),
      workerPermissions(this.#bounds, this.#programs),
      { bounds: this.#bounds, proxies: proxyVariables(this.#options.env) },
    );
  }

  #findShell(): ShellProgram | undefined {
    return findShellWithin(this.#programs, this.#options.env);
  }

  async #spawn(request: SpawnRequest): Promise<SpawnedProcess> {
    const outside = this.#programs.judge(request.program);
    if (outside !== undefined) throw outside;
    if (!mayRun(request.program)) throw notAllowed("run", request.program);
    // The file that was judged: Deno might find another, in a relative folder of `PATH`.
    const program = this.#programs.find(request.program);
    const pid = await this.#calls.call("spawn", [{ ...request, program }]);
    return { pid, status: this.#calls.call("exit", [pid]).then((code) => ({ code })) };
  }
}
