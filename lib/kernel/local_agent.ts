import { EventBus } from "../event.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Agent } from "./agent.ts";
import { LocalSession, type SessionParts } from "./session.ts";

/** Sessions by id over one set of parts: what runs in this process. */
export class LocalAgent implements Agent {
  readonly events = new EventBus();
  readonly tools: ToolRegistry;
  readonly #sessions = new Map<string, LocalSession>();
  readonly #parts: (id: string, events: EventBus) => SessionParts;
  readonly #release: () => void;
  #closed: Promise<void> | undefined;

  /**
   * @param tools What the agent offers.
   * @param parts Makes the parts of a session; called once for each id.
   * @param release Lets go of what all sessions share, after the last one has ended.
   */
  constructor(
    tools: ToolRegistry,
    parts: (id: string, events: EventBus) => SessionParts,
    release: () => void,
  ) {
    this.tools = tools;
    this.#parts = parts;
    this.#release = release;
  }

  session(id: string): LocalSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new LocalSession(this.#parts(id, this.events));
    this.#sessions.set(id, session);
    return session;
  }

  async close({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    const ended = this.#closed ??= this.#end();
    if (graceMs !== undefined) {
      const sessions = this.#sessions.values();
      await Promise.allSettled(sessions.map((session) => session.stopShells(graceMs)));
    }
    await ended;
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#sessions.values().map((session) => session.close()));
    this.#release();
  }
}
