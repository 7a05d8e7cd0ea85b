import { join } from "@std/path";
import type { CodeSandbox } from "./code/sandbox.ts";
import { LazySandbox } from "./code/lazy_sandbox.ts";
import type { Settings } from "./config/settings.ts";
import type { Environment } from "./environment/environment.ts";
import { isWhole } from "./environment/granted.ts";
import { HostEnvironment } from "./environment/host.ts";
import { adoptProxyVariables } from "./environment/proxy.ts";
import { toBubError } from "./errors.ts";
import { EventBus } from "./event.ts";
import type { JsonObject } from "./json.ts";
import type { Agent } from "./kernel/agent.ts";
import { type ChosenParts, LocalAgent } from "./kernel/local_agent.ts";
import type { TurnGate } from "./kernel/session_parts.ts";
import type { Recorder } from "./model/record.ts";
import type { Replays } from "./model/replay.ts";
import { keySources, PROVIDER_NAMES } from "./model/provider.ts";
import { lazyModel } from "./model/lazy_model.ts";
import { warmUp } from "./model/resolve.ts";
import { ModelSource } from "./model/source.ts";
import type { Plugged } from "./plugin/plugged.ts";
import { builtInSkills } from "./skill/built_in.ts";
import { SkillCatalog } from "./skill/catalog.ts";
import { FileMediaStore } from "./tape/file_media_store.ts";
import { FileTapeStore } from "./tape/file_store.ts";
import { MemoryMediaStore } from "./tape/memory_media_store.ts";
import { MemoryTapeStore } from "./tape/memory_store.ts";
import { tapeName } from "./tape/name.ts";
import { SessionLocks } from "./tape/session_lock.ts";
import type { TapeStore } from "./tape/store.ts";
import { Tape } from "./tape/tape.ts";
import { ToolRegistry } from "./tool/registry.ts";
import { ToolSchemas } from "./tool/schema.ts";
import type { Tool } from "./tool/tool.ts";

// Named by variables, so that Deno loads them when they are used and not before (see main.ts).
const PLUGGED = "./plugin/plugged.ts";
const ISOLATES = "./code/isolates.ts";
const RECORDINGS = "./recordings.ts";
const SCOPED = "./environment/scoped.ts";

export interface AppOptions {
  readonly settings: Settings;
  /** The built-in tools, and their argument schemas generated ahead, by name. */
  readonly tools: readonly Tool[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
  /** Absolute path of the file that the model's answers are recorded to (`--record`). */
  readonly record?: string | undefined;
  /** Ends the wait for plugins; the opening then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what the user should know and that stops nothing. */
  readonly warn: (message: string) => void;
}

/** Loads the plugins of the settings, then puts the program together. */
export async function openApp(options: AppOptions): Promise<Agent> {
  const { settings: { plugins: files, home, workspace }, tools, signal, warn } = options;
  if (files.length === 0) return await createApp(options);
  const { plugIn }: typeof import("./plugin/plugged.ts") = await import(PLUGGED);
  return await createApp(options, await plugIn({ files, home, workspace, tools, signal, warn }));
}

/** Puts the program together: the one place that knows which implementation serves which port. */
export async function createApp(
  { settings, tools, schemas, record, warn }: AppOptions,
  plugged?: Plugged,
): Promise<Agent> {
  const recording = record === undefined
    ? undefined
    : (await loadRecordings()).openRecorder(record);
  if (settings.model !== undefined) warmUp(settings.model, settings);
  adoptProxyVariables(settings.env);
  const { store, hold } = openTapes(settings, plugged?.store, warn);
  const media = settings.home === undefined
    ? new MemoryMediaStore()
    : new FileMediaStore(join(settings.home, "media"));
  const environment = await openEnvironment(settings);
  const registry = new ToolRegistry(
    [...tools, ...plugged?.tools ?? []],
    new ToolSchemas(tools, schemas),
  );
  const skills = new SkillCatalog(environment, builtInSkills);
  const models = modelSource(settings, recording?.recorder);
  const sandbox = new LazySandbox(() => loadSandbox(settings));

  const parts = (id: string, events: EventBus): ChosenParts => {
    const name = tapeName(settings.workspace, id);
    const gate: TurnGate = (options) => hold(name, options);
    return {
      id,
      tape: new Tape(store, name, media),
      shells: environment.createShells(),
      gate,
      settings,
      environment,
      registry,
      sandbox,
      skills,
      hooks: plugged?.hooks.toolHooks ?? [],
      hookRunner: plugged?.hooks.warning((message) =>
        events.emit({ session_id: id, type: "warning", message })
      ),
      sidecars: plugged?.sidecars ?? [],
      events,
      model: (id) => models.model(id),
    };
  };
  const events = new EventBus((thrown, { type }) =>
    warn(`a listener failed for the event ${type}: ${toBubError(thrown).message}`)
  );
  plugged?.listen(events);
  return new LocalAgent({ tools: registry, skills, events }, parts, {
    resolveSession: async (id, message, signal) => {
      const inbound = { sessionId: id, workspace: settings.workspace, message };
      return await plugged?.hooks.resolveSession(inbound, signal) ?? id;
    },
    hold,
    maxConcurrency: settings.subagentMaxConcurrency,
    async release() {
      await sandbox.close();
      environment[Symbol.dispose]?.();
      store.close();
      recording?.[Symbol.dispose]();
    },
  });
}

/** Where tapes are kept, and what lets one turn at a time at each. */
interface Tapes {
  readonly store: TapeStore;
  readonly hold: (name: string, ...options: Parameters<TurnGate>) => Promise<Disposable>;
}

/** In the home folder, or in a plugin's store; without a home folder no other process knows them. */
function openTapes(
  { home }: Settings,
  provided: TapeStore | undefined,
  warn: AppOptions["warn"],
): Tapes {
  if (home === undefined) {
    const locks = new SessionLocks(() => Promise.resolve({ [Symbol.dispose]() {} }));
    const store = provided ?? new MemoryTapeStore();
    return { store, hold: (name, options) => locks.acquire(name, options) };
  }
  const folder = join(home, "tapes");
  const store = provided ?? new FileTapeStore(folder, {
    onDamage: ({ tape, offset, reason }) =>
      warn(`tape ${tape} has a damaged line at byte ${offset}, which is passed over: ${reason}`),
  });
  const locks = new SessionLocks();
  return { store, hold: (name, options) => locks.acquire(join(folder, `${name}.lock`), options) };
}

/**
 * The host, or what a scope leaves of it. A process that may not touch every file is bounded like a
 * scope that allows all: Deno compares how paths are spelled, and links would lead out.
 */
async function openEnvironment(
  { workspace, outputFolder, env, envPass, scope, ownFiles }: Settings,
): Promise<Environment & Partial<Disposable>> {
  const options = {
    workspace,
    homeFolder: env.HOME || env.USERPROFILE || undefined,
    outputFolder,
    env,
    envPass,
    providerKeys: PROVIDER_NAMES.flatMap(keySources),
  };
  if (scope === undefined && isWhole({ name: "read" }) && isWhole({ name: "write" })) {
    return new HostEnvironment(options);
  }
  const { ScopedEnvironment }: typeof import("./environment/scoped.ts") = await import(SCOPED);
  return new ScopedEnvironment({ ...options, ownFiles, scope: scope ?? { allow: {}, deny: {} } });
}

async function loadSandbox({ codeLimits }: Settings): Promise<CodeSandbox> {
  const { Isolates }: typeof import("./code/isolates.ts") = await import(ISOLATES);
  return new Isolates(codeLimits);
}

function modelSource(settings: Settings, recorder: Recorder | undefined): ModelSource {
  let replays: Promise<Replays> | undefined;
  const open = async () => (await loadRecordings()).openReplays(settings.workspace);
  return new ModelSource(settings, {
    recorder,
    replay: (file) =>
      lazyModel(`replay:${file}`, async () => (await (replays ??= open())).model(file)),
  });
}

async function loadRecordings(): Promise<typeof import("./recordings.ts")> {
  return await import(RECORDINGS);
}
