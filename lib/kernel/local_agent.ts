import { EventBus } from "../event.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import { SubagentManager } from "../subagent/manager.ts";
import { type HoldLock, TaskOwner } from "../subagent/owner.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Agent } from "./agent.ts";
import type { ChildOptions, OpenedChild } from "./child_session.ts";
import { LocalSession } from "./session.ts";
import type { SessionParts } from "./session_parts.ts";

/** The parts of a session that the app chooses. */
export type ChosenParts = Omit<SessionParts, "number" | "subagents">;

/** What all sessions share and the agent does not know the parts of. */
export interface SharedParts {
  /** The session that plugins choose in the place of `id`. */
  readonly resolveSession: Agent["resolveSession"];
  /** Locks that processes know each other by. */
  readonly hold: HoldLock;
  /** How many subagents may run at once. */
  readonly maxConcurrency: number;
  /** Lets go of what all sessions share, after the last one has ended. */
  readonly release: () => Promise<void>;
}

/** Sessions by id over one set of parts: what runs in this process. */
export class LocalAgent implements Agent {
  readonly events: EventBus;
  readonly tools: ToolRegistry;
  readonly skills: SkillCatalog;
  readonly #sessions = new Map<string, LocalSession>();
  /** The numbers of sessions, children included, in the order they were first opened. */
  readonly #numbers = new Map<string, number>();
  readonly #subagents: SubagentManager;
  readonly #owner: TaskOwner;
  readonly #parts: (id: string, events: EventBus) => ChosenParts;
  readonly #shared: SharedParts;
  #closed: Promise<void> | undefined;

  /**
   * @param offers What there is for everyone to use.
   * @param parts Makes the parts of a session.
   */
  constructor(
    offers: Pick<LocalAgent, "tools" | "skills" | "events">,
    parts: (id: string, events: EventBus) => ChosenParts,
    shared: SharedParts,
  ) {
    this.events = offers.events;
    this.tools = offers.tools;
    this.skills = offers.skills;
    this.#parts = parts;
    this.#shared = shared;
    const { maxConcurrency, hold } = shared;
    this.#owner = new TaskOwner(hold);
    this.#subagents = new SubagentManager({ maxConcurrency, events: this.events });
  }

  session(id: string): LocalSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new LocalSession({
      ...this.#parts(id, this.events),
      number: this.#number(id),
      subagents: {
        manager: this.#subagents,
        owner: this.#owner,
        open: (child) => this.#openChild(child),
      },
    });
    this.#sessions.set(id, session);
    return session;
  }

  resolveSession(id: string, message: string, signal?: AbortSignal): Promise<string> {
    return this.#shared.resolveSession(id, message, signal);
  }

  async close({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    const ended = this.#closed ??= this.#end();
    if (graceMs !== undefined) {
      const sessions = this.#sessions.values();
      await Promise.allSettled(sessions.map((session) => session.stopShells(graceMs)));
    }
    await ended;
  }

  /** A session with a bus of its own, which nobody finds under its id. */
  #openChild({ id, tape, onEvent }: ChildOptions): OpenedChild {
    const events = new EventBus();
    events.subscribe(onEvent);
    const parts = this.#parts(id, events);
    const session = new LocalSession({
      ...parts,
      tape: tape ?? parts.tape,
      // Held by the task, from before it runs until after.
      gate: () => Promise.resolve({ [Symbol.dispose]() {} }),
      number: this.#number(id),
      subagents: undefined,
    });
    return { session, gate: parts.gate };
  }

  #number(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size;
    this.#numbers.set(id, number);
    return number;
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#sessions.values().map((session) => session.close()));
    this.#owner[Symbol.dispose]();
    await this.#shared.release();
  }
}
