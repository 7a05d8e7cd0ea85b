import type { CodeSandbox } from "../code/sandbox.ts";
import type { Settings } from "../config/settings.ts";
import type { Environment, Shells } from "../environment/environment.ts";
import type { EventBus } from "../event.ts";
import type { HookRunner } from "../hook/runner.ts";
import type { Model } from "../model/model.ts";
import type { SkillCatalog } from "../skill/catalog.ts";
import type { Tape } from "../tape/tape.ts";
import type { ToolHooks } from "../tool/execute.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SubagentPlace } from "./subagents.ts";

/** Holds a session for one turn; disposing lets the next one in. */
export type TurnGate = (
  options: { readonly signal: AbortSignal; readonly onWait: () => void },
) => Promise<Disposable>;

/** What a session is made of: chosen by the app, shared between sessions but for tape and shells. */
export interface SessionParts {
  readonly id: string;
  readonly tape: Tape;
  readonly shells: Shells;
  readonly gate: TurnGate;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly registry: ToolRegistry;
  readonly sandbox: CodeSandbox;
  readonly skills: SkillCatalog;
  readonly hooks: readonly ToolHooks[];
  /** The other hooks of plugins; undefined: there are none. */
  readonly hookRunner: HookRunner | undefined;
  /** Names of the sidecars that plugins want beside the tape. */
  readonly sidecars: readonly string[];
  readonly events: EventBus;
  /** By its start in this process, 0 for the first. */
  readonly number: number;
  /** What subagents take; undefined: this session is one itself and has none. */
  readonly subagents: Pick<SubagentPlace, "manager" | "owner" | "open"> | undefined;
  /** The model of an id. Throws `config` when none is chosen or it cannot be used. */
  readonly model: (id: string | undefined) => Model;
}
