import type { FinishReason, ModelRequest, Usage } from "../model/model.ts";
import type { ToolCall } from "../tape/entry.ts";

/** A model call as hooks see it. */
export interface ModelCall {
  /** 1 for the first step of a turn. */
  readonly step: number;
  readonly request: ModelRequest;
}

/** The fields of a request that a hook may put others in the place of. */
export const REQUEST_FIELDS = [
  "system",
  "messages",
  "tools",
  "maxTokens",
  "reasoningEffort",
] as const satisfies readonly (keyof ModelRequest)[];
export type RequestChange = Partial<Pick<ModelRequest, typeof REQUEST_FIELDS[number]>>;

/** What a model said, whole. */
export interface ModelAnswer {
  readonly text: string;
  /** The tool calls it asks for; none ends the turn. */
  readonly calls: readonly ToolCall[];
  readonly finish: FinishReason;
  /** Null: the provider sent none, or the answer is a hook's. */
  readonly usage: Usage | null;
  /** `provider:model` that answered. */
  readonly model: string;
}

/** What a hook says in a model's place; `calls` defaults to none. */
export type GivenAnswer = Pick<ModelAnswer, "text"> & Partial<Pick<ModelAnswer, "calls">>;

/** What a hook decides before a model call; nothing returned means `proceed`. */
export type BeforeModelCall =
  /** Go on, with these fields of the request changed. They go to the model, not to the tape. */
  | { readonly action: "proceed"; readonly request?: RequestChange }
  /** Do not ask the model: this is its answer. */
  | { readonly action: "replace"; readonly answer: GivenAnswer }
  /** Do not ask the model: the turn fails with a `permission` error and this message. */
  | { readonly action: "deny"; readonly message: string };

/** What a hook decides after a model call; nothing returned means `proceed`. */
export type AfterModelCall =
  | { readonly action: "proceed" }
  /** The model said this instead: the tape, the watchers and the next step know nothing else. */
  | { readonly action: "replace"; readonly answer: GivenAnswer };
