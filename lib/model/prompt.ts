import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ToolCall } from "../tape/entry.ts";
import { type CallIdForm, CallIds } from "./call_ids.ts";
import { fitsResult, mediaKey, mediaNote, mediaObstacle } from "./media.ts";
import type {
  AssistantMessage,
  ContentPart,
  MediaPart,
  ModelRequest,
  ToolMessage,
  UserMessage,
} from "./model.ts";
import type { AdapterName } from "./provider.ts";
import { NAMELESS } from "./tool_name_repair.ts";

/** How a provider wants its messages. */
export interface PromptForm {
  readonly adapter: Exclude<AdapterName, "replay">;
  readonly callIds: CallIdForm;
  /** Whether reasoning text goes back with the calls it led to (Chat Completions only). */
  readonly returnsReasoning: boolean;
  /** Media (by `mediaKey`) that the provider has refused before. */
  readonly refusedMedia: ReadonlySet<string>;
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantParts = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

/** Where each adapter keeps its own data of a reasoning block, and looks for it again. */
const METADATA_KEY = { messages: "anthropic", responses: "openai", gemini: "google" } as const;

const EMPTY = "(empty)";
const FOLLOWING = "(the attached media follow in the next message)";

/**
 * The messages of a request in the form of the AI SDK, such that no provider refuses them: no
 * blank blocks, arguments that are objects, ids and names in the provider's alphabet, media only
 * where they are taken, and a user message first where that is a rule.
 */
export function toPrompt(request: ModelRequest, form: PromptForm): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  if (!isBlank(request.system)) prompt.push({ role: "system", content: request.system });
  const ids = new CallIds(form.callIds);
  let shown: UserPart[] = [];
  for (const message of request.messages) {
    if (message.role !== "tool" && shown.length > 0) {
      addUser(prompt, shown);
      shown = [];
    }
    switch (message.role) {
      case "user":
        addUser(prompt, userParts(message, form));
        break;
      case "assistant": {
        ids.startMessage();
        const assistant = assistantMessage(message, ids, form);
        if (assistant.content.length > 0) prompt.push(assistant);
        break;
      }
      case "tool":
        shown.push(...addResult(prompt, message, ids, form));
        break;
    }
  }
  if (shown.length > 0) addUser(prompt, shown);
  if (form.adapter === "messages" || form.adapter === "gemini") startWithUser(prompt);
  if (form.adapter === "messages") markCachePoints(prompt);
  return prompt;
}

function userParts({ content }: UserMessage, form: PromptForm): UserPart[] {
  const parts = contentParts(content, form);
  return parts.length > 0 ? parts : [{ type: "text", text: EMPTY }];
}

/** Two user messages in a row become one: a dropped blank answer must not break the order. */
function addUser(prompt: LanguageModelV4Message[], parts: UserPart[]): void {
  const last = prompt.at(-1);
  if (last?.role !== "user") {
    prompt.push({ role: "user", content: parts });
    return;
  }
  const [first] = parts;
  const before = last.content.at(-1);
  if (first?.type === "text" && before?.type === "text") {
    before.text += `\n\n${first.text}`;
    last.content.push(...parts.slice(1));
  } else {
    last.content.push(...parts);
  }
}

function assistantMessage(
  { content, tool_calls: calls = [], reasoning = [] }: AssistantMessage,
  ids: CallIds,
  { adapter, returnsReasoning }: PromptForm,
): Extract<LanguageModelV4Message, { role: "assistant" }> {
  const parts: AssistantParts = [];
  if (adapter !== "chat") {
    const key = METADATA_KEY[adapter];
    for (const { text, metadata } of reasoning) {
      if (metadata?.[key] === undefined) continue;
      parts.push({ type: "reasoning", text, providerOptions: providerOptions(metadata) });
    }
  }
  const hasText = !isBlank(content);
  if (hasText) parts.push({ type: "text", text: content });
  for (const call of calls) parts.push(toolCallPart(call, ids));
  if (!hasText && calls.length === 0) return { role: "assistant", content: [] };
  if (adapter !== "chat" || !returnsReasoning || calls.length === 0) {
    return { role: "assistant", content: parts };
  }
  // Merged into the message as it is, so that the field is there even when it is empty.
  const reasoning_content = reasoning.map(({ text }) => text).join("");
  return {
    role: "assistant",
    content: parts,
    providerOptions: { openaiCompatible: { reasoning_content } },
  };
}

function toolCallPart(call: ToolCall, ids: CallIds): AssistantParts[number] {
  const { name, arguments: text } = call.function;
  const metadata = call.metadata;
  return {
    type: "tool-call",
    toolCallId: ids.call(call.id),
    toolName: wireName(name),
    input: objectOf(text),
    ...(isJsonObject(metadata) ? { providerOptions: providerOptions(metadata) } : {}),
  };
}

/** Adds a result to the results before it; returns what goes into a user message behind them. */
function addResult(
  prompt: LanguageModelV4Message[],
  message: ToolMessage,
  ids: CallIds,
  form: PromptForm,
): UserPart[] {
  const parts = contentParts(message.content, form);
  const follows = (part: UserPart) =>
    part.type === "file" &&
    (part.data.type === "url" || !fitsResult(part.mediaType, form.adapter));
  const following = parts.filter(follows);
  const inside = parts.filter((part) => !follows(part));
  const isError = message.is_error === true && marksErrors(form);
  const result: LanguageModelV4ToolResultPart = {
    type: "tool-result",
    toolCallId: ids.result(message.tool_call_id),
    toolName: wireName(message.name),
    output: resultOutput(inside, following.length > 0 ? FOLLOWING : EMPTY, isError),
  };
  const last = prompt.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else prompt.push({ role: "tool", content: [result] });
  if (following.length === 0) return [];
  return [{ type: "text", text: `Attached to the result of ${message.name}:` }, ...following];
}

/** The others have no field for it, and wrap the text, which says by itself that it is an error. */
function marksErrors({ adapter }: PromptForm): boolean {
  return adapter === "messages" || adapter === "gemini";
}

/** `blank` stands for a text where there is none. */
function resultOutput(
  parts: readonly UserPart[],
  blank: string,
  isError: boolean,
): LanguageModelV4ToolResultOutput {
  const texts = parts.flatMap((part) => part.type === "text" ? [part.text] : []);
  const media = parts.filter((part) => part.type === "file");
  const text = texts.length > 0 ? texts.join("\n") : blank;
  if (media.length === 0) return { type: isError ? "error-text" : "text", value: text };
  // One text, and in front: Gemini's older models are sent a result for each.
  return { type: "content", value: [{ type: "text", text }, ...media] };
}

/** Text that is not blank, media that the provider takes, and a note for each that it does not. */
function contentParts(
  content: string | readonly ContentPart[],
  { adapter, refusedMedia }: PromptForm,
): UserPart[] {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return parts.flatMap((part): UserPart[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
    const obstacle = mediaObstacle(part, adapter) ??
      (refusedMedia.has(mediaKey(part)) ? "the provider refused it" : undefined);
    return obstacle === undefined
      ? [filePart(part)]
      : [{ type: "text", text: mediaNote(part, obstacle) }];
  });
}

function filePart(part: MediaPart): LanguageModelV4FilePart {
  const { mediaType } = part;
  if (!("url" in part)) return { type: "file", mediaType, data: { type: "data", data: part.data } };
  // Parsing would change an address whose parts are not those of the web.
  const data = { type: "url", url: new URL(part.url), originalUrl: part.url } as const;
  return { type: "file", mediaType, data };
}

function startWithUser(prompt: LanguageModelV4Message[]): void {
  const first = prompt.findIndex(({ role }) => role !== "system");
  if (first < 0 || prompt[first]?.role === "user") return;
  prompt.splice(first, 0, {
    role: "user",
    content: [{ type: "text", text: "(the conversation so far)" }],
  });
}

/**
 * Lets Anthropic keep what it has read: the system prompt with the tools before it, and the
 * conversation up to its last two messages, of which the older was the end of the last request.
 */
function markCachePoints(prompt: LanguageModelV4Message[]): void {
  const system = prompt[0]?.role === "system" ? [prompt[0]] : [];
  const asked = prompt.filter(({ role }) => role === "user" || role === "tool").slice(-2);
  for (const message of [...system, ...asked]) {
    message.providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  }
}

/** Arguments as the object that every provider wants; the text of a bad call is in its result. */
function objectOf(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A tool's name in the alphabet that every provider takes. */
function wireName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  return plain === "" ? NAMELESS : plain;
}

/** What an adapter gave along comes back from the tape as plain JSON. */
function providerOptions(metadata: JsonObject): SharedV4ProviderMetadata {
  return metadata as SharedV4ProviderMetadata;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
