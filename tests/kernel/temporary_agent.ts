import { createApp, openApp } from "../../lib/app.ts";
import { resolveSettings, type SettingFlags } from "../../lib/config/resolve.ts";
import type { BubEvent, TurnResult } from "../../lib/event.ts";
import type { Agent, Session, TurnOptions } from "../../lib/kernel/agent.ts";
import { plug } from "../../lib/plugin/plugged.ts";
import type { PluginParts } from "../../lib/plugin/plugin.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { tapeName } from "../../lib/tape/name.ts";
import type { TapeEntry } from "../../lib/tape/entry.ts";
import type { Tool } from "../../lib/tool/tool.ts";
import { builtinSchemas, builtinTools } from "../../tools/mod.ts";
import type { Script } from "../provider/answer.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider } from "../provider/fake_provider.ts";

/** What a process is started with. */
export interface ProcessOptions {
  readonly flags?: SettingFlags;
  /** Variables in place of those of the first process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Plugins as what their functions return; those among the flags are loaded from their files. */
  readonly plugins?: readonly PluginParts[];
}

/** The whole program below its user interface, in temporary folders, with a scripted model server. */
export class TemporaryAgent implements AsyncDisposable {
  readonly events: BubEvent[] = [];
  readonly #others: Agent[] = [];

  private constructor(
    readonly agent: Agent,
    readonly server: FakeProvider,
    readonly home: string,
    readonly workspace: string,
    /** What was told to the user and stopped nothing, events apart. */
    readonly warnings: string[],
    private readonly root: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    agent.events.subscribe((event) => this.events.push(event));
  }

  /** `env` adds variables to the ones that lead to the server, which is strict about histories. */
  static async open(
    script: Script,
    env: Record<string, string> = {},
    options: ProcessOptions = {},
  ): Promise<TemporaryAgent> {
    const root = await Deno.realPath(await Deno.makeTempDir());
    const workspace = `${root}/workspace`;
    const home = `${root}/home`;
    await Deno.mkdir(workspace);
    const server = startFakeOpenAI({ script, strict: {} });
    const variables = {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: root,
      BUB_HOME: home,
      BUB_MODEL: "openai-compatible:scripted",
      BUB_API_BASE: server.base,
      ...env,
    };
    const warnings: string[] = [];
    const agent = await start(workspace, variables, options, warnings);
    return new TemporaryAgent(agent, server, home, workspace, warnings, root, variables);
  }

  /** What another process on the same folders would be. */
  async another(options: ProcessOptions = {}): Promise<Agent> {
    const env = { ...this.env, ...options.env };
    const agent = await start(this.workspace, env, options, this.warnings);
    this.#others.push(agent);
    return agent;
  }

  session(id = "cli:local"): Session {
    return this.agent.session(id);
  }

  run(message: string, options: Partial<TurnOptions> = {}): Promise<TurnResult> {
    return this.session().run(message, { signal: new AbortController().signal, ...options });
  }

  /** What the session's tape holds, read as another process would. */
  async tape(id = "cli:local"): Promise<TapeEntry[]> {
    const store = new FileTapeStore(`${this.home}/tapes`);
    return await Array.fromAsync(store.read(tapeName(this.workspace, id), "oldest"));
  }

  /** Resolves with the next event for which `wanted` holds. */
  async event(wanted: (event: BubEvent) => boolean): Promise<BubEvent> {
    const { promise, resolve } = Promise.withResolvers<BubEvent>();
    const stop = this.agent.events.subscribe((event) => wanted(event) && resolve(event));
    try {
      return await promise;
    } finally {
      stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.agent, ...this.#others].map((agent) => agent.close()));
    await this.server[Symbol.asyncDispose]();
    await Deno.remove(this.root, { recursive: true });
  }
}

async function start(
  workspace: string,
  env: Readonly<Record<string, string>>,
  { flags = {}, tools = [], plugins = [] }: ProcessOptions,
  warnings: string[],
): Promise<Agent> {
  const { settings } = await resolveSettings({ flags: { workspace, ...flags }, env, saves: true });
  const options = {
    settings,
    tools: [...builtinTools, ...tools],
    schemas: builtinSchemas,
    warn: (message: string) => void warnings.push(message),
  };
  if (plugins.length === 0) return await openApp(options);
  const { home } = settings;
  return await createApp(options, await plug(plugins, { home, workspace, warn: options.warn }));
}

/** The kinds of entries, events with their name: what the order of a tape is checked by. */
export function outline(entries: readonly TapeEntry[]): string[] {
  return entries.map(({ kind, payload }) => {
    if (kind === "event" || kind === "anchor") return `${kind}:${payload.name}`;
    return kind === "message" ? `message:${payload.role}` : kind;
  });
}
