import type { SandboxLimits } from "../code/sandbox.ts";
import type { Scope } from "../environment/scope.ts";
import type { JsonObject } from "../json.ts";

/** Where a value came from, strongest first. */
export const ORIGINS = ["flag", "session", "environment", "env-file", "config", "default"] as const;
export type Origin = typeof ORIGINS[number];

/** One provider's access. */
export interface ProviderSettings {
  readonly apiKey: string | undefined;
  readonly apiBase: string | undefined;
}

/** What calls of `subagent` that name it as `agent` leave open (A2). */
export interface SubagentProfile extends JsonObject {
  readonly description?: string;
  readonly model?: string;
  readonly reasoning_effort?: string;
  readonly session?: string;
  readonly allowed_tools?: readonly string[];
  readonly allowed_skills?: readonly string[];
  readonly timeout_seconds?: number;
}

/** Every setting resolved: nothing is optional, nothing is looked up later. */
export interface Settings {
  /** `<home>`: absolute; undefined: nothing is saved, which has been announced. */
  readonly home: string | undefined;
  /** Absolute: where output of shells is kept while they run; may turn out to take no files. */
  readonly outputFolder: string;
  /** Absolute real path. */
  readonly workspace: string;
  /** `provider:model`, or undefined: text commands work without one. */
  readonly model: string | undefined;
  readonly modelOrigin: Origin;
  /** Why no model is known although one may be set; undefined: none is. */
  readonly modelProblem: string | undefined;
  readonly fallbackModels: readonly string[];
  readonly reasoningEffort: string | undefined;
  /** Key and base of a provider, by precedence of SPEC M1; the name is the provider's. */
  provider(name: string): ProviderSettings;
  /** The provider that `api_key` and `api_base` serve as plain text: that of the configured model. */
  readonly keyOwner: string | undefined;
  /** `chat` or `responses` for the provider `openai`; undefined: by SPEC. */
  readonly openaiApi: "chat" | "responses" | undefined;
  /** Steps a turn may take; Infinity: unlimited. */
  readonly maxSteps: number;
  readonly maxTokens: number;
  /** Seconds one model call may take; null: no limit. */
  readonly modelTimeoutSeconds: number | null;
  /** Extra options of the provider's client (`BUB_CLIENT_ARGS`), such as `headers`. */
  readonly clientArgs: JsonObject;
  /** Extra fields of the request body (`BUB_COMPLETION_ARGS`). */
  readonly completionArgs: JsonObject;
  /** 0 quiet … 2 very verbose (`BUB_VERBOSE`, `-v`, `-q` is -1). */
  readonly verbosity: number;
  readonly spillThreshold: number;
  readonly subagentTimeoutSeconds: number | null;
  readonly subagentMaxConcurrency: number;
  /** The profiles of subagents, by name. */
  readonly subagents: Readonly<Record<string, SubagentProfile>>;
  readonly commandPrefix: string;
  /** Absolute paths of the plugins, in the order they are loaded: configured ones first. */
  readonly plugins: readonly string[];
  /** Absolute paths of what bub itself reads and keeps: never written by tools that are bounded. */
  readonly ownFiles: readonly string[];
  /** What bounds tools (E3); undefined: nothing but what bounds the process. */
  readonly scope: Scope | undefined;
  /** Whether `--code-mode` was given; undefined: the session decides. */
  readonly codeMode: boolean | undefined;
  /** What code of `run_code` may use. */
  readonly codeLimits: SandboxLimits;
  /** Variables given to children although they look like keys (`env.pass`). */
  readonly envPass: readonly string[];
  /** The environment the process was started with, `--env-file` included. */
  readonly env: Readonly<Record<string, string>>;
}
