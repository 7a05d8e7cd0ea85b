import { createApp } from "../../lib/app.ts";
import { resolveSettings } from "../../lib/config/resolve.ts";
import type { BubEvent, TurnResult } from "../../lib/event.ts";
import type { Agent, Session, TurnOptions } from "../../lib/kernel/agent.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { tapeName } from "../../lib/tape/name.ts";
import type { TapeEntry } from "../../lib/tape/entry.ts";
import { builtinSchemas, builtinTools } from "../../tools/mod.ts";
import type { Script } from "../provider/answer.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import type { FakeProvider } from "../provider/fake_provider.ts";

/** The whole program below its user interface, in temporary folders, with a scripted model server. */
export class TemporaryAgent implements AsyncDisposable {
  readonly events: BubEvent[] = [];
  readonly warnings: string[] = [];

  private constructor(
    readonly agent: Agent,
    readonly server: FakeProvider,
    readonly home: string,
    readonly workspace: string,
    private readonly root: string,
  ) {
    agent.events.subscribe((event) => this.events.push(event));
  }

  /** `env` adds variables to the ones that lead to the server, which is strict about histories. */
  static async open(script: Script, env: Record<string, string> = {}): Promise<TemporaryAgent> {
    const root = await Deno.realPath(await Deno.makeTempDir());
    const workspace = `${root}/workspace`;
    const home = `${root}/home`;
    await Deno.mkdir(workspace);
    const server = startFakeOpenAI({ script, strict: {} });
    const { settings } = await resolveSettings({
      flags: { workspace },
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: root,
        BUB_HOME: home,
        BUB_MODEL: "openai-compatible:scripted",
        BUB_API_BASE: server.base,
        ...env,
      },
      saves: true,
    });
    const warnings: string[] = [];
    const agent = createApp({
      settings,
      tools: builtinTools,
      schemas: builtinSchemas,
      warn: (message) => warnings.push(message),
    });
    const self = new TemporaryAgent(agent, server, home, workspace, root);
    self.warnings.push(...warnings);
    return self;
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
    await this.agent.close();
    await this.server[Symbol.asyncDispose]();
    await Deno.remove(this.root, { recursive: true });
  }
}

/** The kinds of entries, events with their name: what the order of a tape is checked by. */
export function outline(entries: readonly TapeEntry[]): string[] {
  return entries.map(({ kind, payload }) => {
    if (kind === "event" || kind === "anchor") return `${kind}:${payload.name}`;
    return kind === "message" ? `message:${payload.role}` : kind;
  });
}
