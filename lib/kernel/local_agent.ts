import type { EventBus } from "../event.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Agent } from "./agent.ts";
import { LocalSession, type SessionParts } from "./session.ts";

/** What all sessions share and the agent does not know the parts of. */
export interface SharedParts {
  /** The session that plugins choose in the place of `id`. */
  readonly resolveSession: (id: string, message: string) => Promise<string>;
  /** Lets go of what all sessions share, after the last one has ended. */
  readonly release: () => void;
}

/** Sessions by id over one set of parts: what runs in this process. */
export class LocalAgent implements Agent {
  readonly events: EventBus;
  readonly tools: ToolRegistry;
  readonly skills: SkillCatalog;
  readonly #sessions = new Map<string, LocalSession>();
  readonly #parts: (id: string, events: EventBus) => SessionParts;
  readonly #shared: SharedParts;
  #closed: Promise<void> | undefined;

  /**
   * @param offers What there is for everyone to use.
   * @param parts Makes the parts of a session; called once for each id.
   */
  constructor(
    offers: Pick<LocalAgent, "tools" | "skills" | "events">,
    parts: (id: string, events: EventBus) => SessionParts,
    shared: SharedParts,
  ) {
    this.events = offers.events;
    this.tools = offers.tools;
    this.skills = offers.skills;
    this.#parts = parts;
    this.#shared = shared;
  }

  session(id: string): LocalSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new LocalSession(this.#parts(id, this.events));
    this.#sessions.set(id, session);
    return session;
  }

  resolveSession(id: string, message: string): Promise<string> {
    return this.#shared.resolveSession(id, message);
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
    this.#shared.release();
  }
}
