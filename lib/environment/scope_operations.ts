import type { BubError } from "../errors.ts";
import { hostFetch } from "./host_fetch.ts";
import { HostRules } from "./host_rules.ts";
import { type SpawnedProcess, spawnHere } from "./launcher.ts";
import type { OperationName, ScopeOperations, ScopeSetup } from "./scope_protocol.ts";
import { ScopedFiles } from "./scoped_files.ts";

/** What an operation has of the call that it serves. */
export interface OperationCall<Asks extends readonly [asked: unknown, told: unknown]> {
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Asks the caller; rejects when the signal aborts. */
  ask(question: Asks[0]): Promise<Asks[1]>;
}

/** What performs the operations, by name. */
export type Operations = {
  readonly [Name in OperationName]: (
    call: OperationCall<ScopeOperations[Name]["asks"]>,
    ...args: ScopeOperations[Name]["args"]
  ) => ScopeOperations[Name]["result"] | Promise<ScopeOperations[Name]["result"]>;
};

/** The operations within the bounds of `setup`, for the Worker that has no more than those. */
export function scopeOperations({ bounds, proxies }: ScopeSetup): Operations {
  const files = new ScopedFiles(bounds);
  const hosts = new HostRules(bounds.net);
  const children = new Map<number, SpawnedProcess["status"]>();
  return {
    stat: (_call, path, given) => files.stat(path, given),
    listFolder: (_call, path, given) => files.list(path, given),
    readFile: ({ signal }, path, given, maxBytes) => files.read(path, given, { maxBytes, signal }),
    writeFile: (_call, path, given, data) => files.write(path, given, data),
    updateFile: (call, path, given) => files.update(path, given, (data) => call.ask(data)),
    async fetch(call, url, headers, maxBytes) {
      const check = async (hop: URL) => {
        const outside: BubError | undefined = await hosts.judge(hop, (name) => call.ask(name));
        if (outside !== undefined) throw outside;
      };
      const options = { headers: new Headers(headers), maxBytes, signal: call.signal };
      const result = await hostFetch(url, options, { check, env: proxies });
      return { ...result, headers: [...result.headers] };
    },
    async spawn(_call, request) {
      const { pid, status } = await spawnHere(request);
      children.set(pid, status);
      // Until it is asked for, how it ended is nobody's failure.
      status.catch(() => {});
      return pid;
    },
    async exit(_call, pid) {
      const status = children.get(pid);
      children.delete(pid);
      if (status === undefined) throw new Error(`no process ${pid} was started here`);
      return (await status).code;
    },
  };
}
