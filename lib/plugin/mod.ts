/** The types that authors of plugins use; all of it is erased before a plugin runs. */
export type { BubErrorOptions, ErrorKind, ErrorReport } from "../errors.ts";
export type { BubEvent, TurnResult } from "../event.ts";
export type {
  Failure,
  Hooks,
  HookTurn,
  InboundMessage,
  PromptSection,
  StorePlace,
  TapeContext,
} from "../hook/hooks.ts";
export type {
  AfterModelCall,
  BeforeModelCall,
  GivenAnswer,
  ModelAnswer,
  ModelCall,
  RequestChange,
} from "../hook/model_call.ts";
export type { JsonObject, JsonValue } from "../json.ts";
export type { ChatMessage, ModelRequest } from "../model/model.ts";
export type { EntryDraft, TapeEntry } from "../tape/entry.ts";
export type { Selector } from "../tape/select.ts";
export type { AppendOptions, TapeOrder, TapeStore, TapeSummary } from "../tape/store.ts";
export type { AfterToolCall, BeforeToolCall, InterceptedCall } from "../tool/hooks.ts";
export type { Media, ToolOutput } from "../tool/output.ts";
export type { Exposure, Tool, ToolContext, TurnState } from "../tool/tool.ts";
export type {
  EventHandlers,
  Plugin,
  PluginApi,
  PluginParts,
  PluginToolDefinition,
} from "./plugin.ts";
