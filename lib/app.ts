import { join, resolve } from "@std/path";
import type { Settings } from "./config/settings.ts";
import { HostEnvironment } from "./environment/host.ts";
import { adoptProxyVariables } from "./environment/proxy.ts";
import type { EventBus } from "./event.ts";
import type { JsonObject } from "./json.ts";
import type { Agent } from "./kernel/agent.ts";
import { LocalAgent } from "./kernel/local_agent.ts";
import type { SessionParts, TurnGate } from "./kernel/session.ts";
import { keySources, PROVIDER_NAMES } from "./model/provider.ts";
import { Recorder } from "./model/record.ts";
import { Replays } from "./model/replay.ts";
import { warmUp } from "./model/resolve.ts";
import { ModelSource } from "./model/source.ts";
import { FileTapeStore } from "./tape/file_store.ts";
import { MemoryTapeStore } from "./tape/memory_store.ts";
import { tapeName } from "./tape/name.ts";
import { readTapeFile, RecordingFile } from "./tape/recording_file.ts";
import { SessionLocks } from "./tape/session_lock.ts";
import type { TapeStore } from "./tape/store.ts";
import { Tape } from "./tape/tape.ts";
import { ToolRegistry } from "./tool/registry.ts";
import { ToolSchemas } from "./tool/schema.ts";
import type { Tool } from "./tool/tool.ts";

export interface AppOptions {
  readonly settings: Settings;
  /** The built-in tools, and their argument schemas generated ahead, by name. */
  readonly tools: readonly Tool[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
  /** Absolute path of the file that the model's answers are recorded to (`--record`). */
  readonly record?: string | undefined;
  /** Takes what the user should know and that stops nothing. */
  readonly warn: (message: string) => void;
}

/** Puts the program together: the one place that knows which implementation serves which port. */
export function createApp({ settings, tools, schemas, record, warn }: AppOptions): Agent {
  if (settings.model !== undefined) warmUp(settings.model, settings);
  adoptProxyVariables(settings.env);
  const { store, hold } = settings.home === undefined
    ? memoryTapes()
    : fileTapes(join(settings.home, "tapes"), warn);
  const environment = hostEnvironment(settings);
  const registry = new ToolRegistry(tools, new ToolSchemas(tools, schemas));
  const recording = record === undefined ? undefined : new RecordingFile(record);
  const models = modelSource(settings, recording);

  const parts = (id: string, events: EventBus): SessionParts => {
    const name = tapeName(settings.workspace, id);
    const gate: TurnGate = (options) => hold(name, options);
    return {
      id,
      tape: new Tape(store, name),
      shells: environment.createShells(),
      gate,
      settings,
      environment,
      registry,
      hooks: [],
      events,
      model: () => models.model(settings.model),
    };
  };
  return new LocalAgent(registry, parts, () => {
    store.close();
    recording?.close();
  });
}

/** Where tapes are kept, and what lets one turn at a time at each. */
interface Tapes {
  readonly store: TapeStore;
  readonly hold: (name: string, ...options: Parameters<TurnGate>) => Promise<Disposable>;
}

function fileTapes(folder: string, warn: AppOptions["warn"]): Tapes {
  const store = new FileTapeStore(folder, {
    onDamage: ({ tape, offset, reason }) =>
      warn(`tape ${tape} has a damaged line at byte ${offset}, which is passed over: ${reason}`),
  });
  const locks = new SessionLocks();
  return { store, hold: (name, options) => locks.acquire(join(folder, `${name}.lock`), options) };
}

/** Tapes of which no other process knows. */
function memoryTapes(): Tapes {
  const locks = new SessionLocks(() => Promise.resolve({ [Symbol.dispose]() {} }));
  return { store: new MemoryTapeStore(), hold: (name, options) => locks.acquire(name, options) };
}

function hostEnvironment(
  { workspace, outputFolder, env, envPass }: Settings,
): HostEnvironment {
  return new HostEnvironment({
    workspace,
    homeFolder: env.HOME || env.USERPROFILE || undefined,
    outputFolder,
    env,
    envPass,
    providerKeys: PROVIDER_NAMES.flatMap(keySources),
  });
}

function modelSource(settings: Settings, recording: RecordingFile | undefined): ModelSource {
  return new ModelSource(settings, {
    replays: new Replays((file) => readTapeFile(resolve(settings.workspace, file))),
    recorder: recording && new Recorder((drafts) => recording.append(drafts)),
  });
}
