import type { ErrorReport } from "../errors.ts";
import type { TurnResult } from "../event.ts";
import type { JsonObject } from "../json.ts";
import type { AnchorChoice } from "../tape/query.ts";
import type { Selector } from "../tape/select.ts";
import type { TapeStore } from "../tape/store.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolHooks } from "../tool/hooks.ts";
import type { TurnState } from "../tool/tool.ts";
import type { AfterModelCall, BeforeModelCall, ModelAnswer, ModelCall } from "./model_call.ts";

/** What a hook returns, now or later; nothing means: no opinion. */
type Answer<T> = Promise<T | undefined | void> | T | undefined | void;

/** An inbound message before its turn begins. */
export interface InboundMessage {
  readonly sessionId: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  readonly message: string;
}

/** The turn that a hook works for. */
export interface HookTurn extends InboundMessage {
  /** Shared by the hooks and tools of this turn: they read it, and change it in place. */
  readonly state: TurnState;
  readonly tape: Tape;
  /** The tapes of the sidecars that `provideSidecar` named, by their names. */
  readonly sidecars: Readonly<Record<string, Tape>>;
  /** Aborted when the turn is interrupted or out of time; nobody waits for a hook from then on. */
  readonly signal: AbortSignal;
}

/** One part of the system prompt; blank lines separate them. */
export interface PromptSection {
  /** What it is: `role`, `host`, `instructions`, or whatever a hook calls its own. */
  readonly name: string;
  readonly text: string;
}

/** Where the context of a step starts, and how its entries become messages. */
export interface TapeContext {
  /** Null: the whole tape; `last`: after the last anchor; else after the last anchor so named. */
  readonly anchor: AnchorChoice;
  /** @default {the selector of every other context} */
  readonly select?: Selector;
}

/** Where tapes are to be kept. */
export interface StorePlace {
  /** Absolute path of `<home>`. */
  readonly home: string;
  readonly workspace: string;
}

/** A turn or a text command that failed. */
export interface Failure extends InboundMessage {
  readonly stage: "turn" | "command";
  readonly error: ErrorReport;
}

/**
 * What a plugin may hook into; every hook is optional. Hooks of one name run one after another, the
 * last registered first. One that throws, rejects, or returns what it should not is logged and
 * skipped, as if it had returned nothing: nothing but a returned `deny` denies.
 */
export interface Hooks extends Pick<ToolHooks, "beforeToolCall" | "afterToolCall"> {
  /**
   * The session that a conversation belongs to, asked when it is opened: by `bub run` with its
   * message, by `bub chat` with an empty one. `sessionId` is what the command line says. The first
   * text returned counts and ends the row.
   */
  resolveSession?(inbound: InboundMessage): Answer<string>;

  /**
   * The state a turn begins with. Every hook is asked; of members with the same name that of the
   * hook asked first counts. Nothing of the turn before is in it: keep it with `saveState`.
   */
  loadState?(inbound: InboundMessage): Answer<JsonObject>;

  /**
   * The end of a turn, however it came to it; `turn.state` is what it made of it. All are told. After
   * an interruption or the time limit, they have one second together; else 10.
   */
  saveState?(turn: HookTurn, result: TurnResult): Answer<never>;

  /**
   * The system prompt, once a turn. A text is appended as a section; a list takes the place of all
   * sections. The next hook sees them as this one left them.
   */
  systemPrompt?(
    turn: HookTurn,
    sections: readonly PromptSection[],
  ): Answer<string | readonly PromptSection[]>;

  /** The prompt that `turn.message` becomes. The first text returned counts and ends the row. */
  buildPrompt?(turn: HookTurn): Answer<string>;

  /**
   * A user message before the step numbered `step`, for every step but the first of a turn. The
   * first text returned counts and ends the row; by default there is none.
   */
  continuePrompt?(turn: HookTurn, step: number): Answer<string>;

  /**
   * Before each model call. The next hook sees the request as this one left it; `replace` and
   * `deny` end the row.
   */
  beforeModelCall?(turn: HookTurn, call: ModelCall): Answer<BeforeModelCall>;

  /**
   * After each model call that came to an answer, a hook's included. The next hook sees the answer
   * as this one left it. While such a hook is there, watchers get the words of an answer at once,
   * when all hooks are done with it, and not as they come.
   */
  afterModelCall?(turn: HookTurn, call: ModelCall, answer: ModelAnswer): Answer<AfterModelCall>;

  /**
   * Which entries of the tape make the context of each step. The first answer counts and ends the
   * row; one with an anchor that is not there, or a selector that throws, is skipped.
   */
  buildTapeContext?(turn: HookTurn): Answer<TapeContext>;

  /**
   * The store for all tapes, asked once at the start. The first store returned counts and ends the
   * row; by default tapes are files. It is closed when the program ends.
   */
  provideTapeStore?(place: StorePlace): Answer<TapeStore>;

  /**
   * The name of a sidecar, or several, that every session gets beside its tape (`turn.sidecars`, and
   * `context.sidecars` of tools), asked once at the start. Every hook is asked.
   */
  provideSidecar?(): Answer<string | readonly string[]>;

  /** A turn or a text command that ended with an error. All are told; nothing can be changed. */
  onError?(failure: Failure): Answer<never>;
}

/** The hooks there are, in the order a turn meets them. */
export const HOOK_NAMES = [
  "provideTapeStore",
  "provideSidecar",
  "resolveSession",
  "loadState",
  "buildPrompt",
  "systemPrompt",
  "continuePrompt",
  "buildTapeContext",
  "beforeModelCall",
  "afterModelCall",
  "beforeToolCall",
  "afterToolCall",
  "saveState",
  "onError",
] as const satisfies readonly (keyof Hooks)[];
export type HookName = typeof HOOK_NAMES[number];

/** The hooks of one plugin. */
export interface NamedHooks {
  /** Whose they are, for the log. */
  readonly name: string;
  readonly hooks: Hooks;
}
