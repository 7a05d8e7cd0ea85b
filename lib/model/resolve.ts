import { alternatives } from "../close_match.ts";
import type { Settings } from "../config/settings.ts";
import { isGranted } from "../environment/granted.ts";
import { isLoopback, loopbackProxyNote } from "../environment/proxy.ts";
import { BubError, missingAccess } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { type LoadedAdapter, preload } from "./adapter.ts";
import { AiSdkModel } from "./ai_sdk.ts";
import { type ClientArgs, parseClientArgs } from "./client_args.ts";
import { isHeaderValue, NO_KEY } from "./header.ts";
import type { Model } from "./model.ts";
import { parseModelId } from "./model_id.ts";
import {
  type AdapterName,
  keySources,
  providerFacts,
  type ProviderName,
  providerVariable,
} from "./provider.ts";
import { hideLogin } from "./secret.ts";
import type { CallLimits } from "./watchdog.ts";

/** The settings that decide how a model is reached. */
export type ModelSettings = Pick<
  Settings,
  | "provider"
  | "keyOwner"
  | "openaiApi"
  | "modelTimeoutSeconds"
  | "clientArgs"
  | "completionArgs"
  | "env"
>;

export interface CreateModelOptions {
  /** Makes the model behind `replay:<file>`, see `Replays`; without it there are none. */
  readonly replay?: ((file: string) => Model) | undefined;
  /** Seconds without any data after which a call fails. @default {120, or 600 on loopback} */
  readonly silenceSeconds?: number | undefined;
  /** Seconds with signs of life alone after which a call fails. @default {480, or 600} */
  readonly stallSeconds?: number | undefined;
}

/** Models whose API calls the limit of the answer `max_completion_tokens`. */
const COMPLETION_TOKENS = /^(?:o\d|gpt-[5-9])/;

/** Mistral takes only call ids of this many letters and digits. */
const MISTRAL_ID_LENGTH = 9;

/** Where a model is asked and with what; all is checked, so that only the server can say no. */
export interface ModelAccess {
  readonly provider: ProviderName;
  readonly model: string;
  readonly adapter: LoadedAdapter;
  /** An `http:` or `https:` address without a slash at its end. */
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  /** What `BUB_CLIENT_ARGS` says. */
  readonly client: ClientArgs;
}

/**
 * The model behind `provider:model`. Its package is loaded with the first request. Throws `config`
 * when the id is wrong, or a key or an API base is missing, naming what to set.
 */
export function createModel(
  id: string,
  settings: ModelSettings,
  options: CreateModelOptions = {},
): Model {
  const access = modelAccess(id, settings);
  if ("recording" in access) {
    if (options.replay !== undefined) return options.replay(access.recording);
    throw new BubError("config", `model ${JSON.stringify(id)}: recordings cannot be played here`);
  }
  const { provider, client: { headers, query, timeout }, ...known } = access;
  const url = new URL(access.baseURL);
  const facts = providerFacts(provider);
  return new AiSdkModel({
    ...known,
    provider,
    headers,
    query,
    body: requestBody(settings.completionArgs),
    proxyNote: loopbackProxyNote(url, settings.env),
    limits: callLimits(isLoopback(url.hostname), timeout, settings, options),
    callIds: provider === "mistral" ? { length: MISTRAL_ID_LENGTH } : {},
    returnsReasoning: facts.returnsReasoning === true,
    streamOptions: facts.plainStream !== true,
    completionTokens: provider === "openai" && COMPLETION_TOKENS.test(access.model),
  });
}

/** How the model behind `provider:model` is reached, or its file. Throws `config` as above. */
export function modelAccess(
  id: string,
  settings: ModelSettings,
): ModelAccess | { readonly recording: string } {
  const { provider, model } = parseModelId(id);
  const adapter = adapterOf(provider, settings);
  if (adapter === "replay") return { recording: model };
  const facts = providerFacts(provider);
  const baseURL = apiBase(provider, settings);
  const { apiKey } = settings.provider(provider);
  if (apiKey === undefined && !isLoopback(new URL(baseURL).hostname) && facts.keyless !== true) {
    const sources = settable(keySources(provider), "BUB_API_KEY", provider, settings);
    throw new BubError("config", `no API key for ${provider}; set ${sources}${hidden(provider)}`);
  }
  // The configuration has checked its own keys, but not those of the providers' usual variables.
  if (apiKey !== undefined && !isHeaderValue(apiKey)) {
    const sources = alternatives(facts.keyVariables);
    throw new BubError("config", `the key of ${provider} in ${sources} ${NO_KEY}`);
  }
  const client = parseClientArgs(settings.clientArgs);
  return { provider, model, adapter, baseURL, apiKey, client };
}

/**
 * Starts loading what the first request to this model needs, so that it is there in time; an id
 * that is wrong does nothing.
 */
export function warmUp(id: string, settings: Pick<ModelSettings, "provider" | "openaiApi">): void {
  try {
    preload(adapterOf(parseModelId(id).provider, settings));
  } catch (thrown) {
    // `createModel` reports it, with all there is to say.
    if (!(thrown instanceof BubError)) throw thrown;
  }
}

/**
 * OpenAI itself is asked through Responses; another server under that name through Chat
 * Completions, which they all know.
 */
function adapterOf(
  provider: ProviderName,
  { openaiApi, ...settings }: Pick<ModelSettings, "provider" | "openaiApi">,
): AdapterName {
  const { adapter, base } = providerFacts(provider);
  if (provider !== "openai") return adapter;
  if (openaiApi !== undefined) return openaiApi;
  const { apiBase } = settings.provider(provider);
  return apiBase === undefined || apiBase.replace(/\/+$/, "") === base ? adapter : "chat";
}

/**
 * What can be set for a provider, from several variables of which the general one as plain text may
 * serve another provider.
 */
function settable(
  sources: readonly string[],
  general: string,
  provider: ProviderName,
  { keyOwner = provider }: Pick<ModelSettings, "keyOwner">,
): string {
  if (keyOwner === provider) return alternatives(sources);
  const own = alternatives(sources.filter((source) => source !== general));
  return `${own}: as plain text ${general} serves only ${keyOwner}`;
}

/** What to add where not one of the variables with a key may be read; empty: one may. */
function hidden(provider: ProviderName): string {
  const names = keySources(provider);
  if (names.some((variable) => isGranted({ name: "env", variable }))) return "";
  return `, of which none may be read: ${missingAccess("env", names.at(-1))}`;
}

function apiBase(
  provider: ProviderName,
  settings: Pick<ModelSettings, "provider" | "keyOwner">,
): string {
  const configured = settings.provider(provider).apiBase ?? providerFacts(provider).base;
  if (configured === undefined) {
    const sources = [providerVariable(provider, "API_BASE"), "BUB_API_BASE"];
    throw new BubError(
      "config",
      `no API base for ${provider}; set the address of the server, such as ` +
        `http://127.0.0.1:8080/v1, in ${settable(sources, "BUB_API_BASE", provider, settings)}`,
    );
  }
  // OLLAMA_HOST is written without scheme and path, and the address Ollama listens on is no host.
  const text = provider === "ollama" && !configured.includes("://")
    ? `http://${configured}`
    : configured;
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    throw new BubError(
      "config",
      `the API base of ${provider} is ${
        JSON.stringify(configured, hideLogin)
      }; it must be an http: or https: URL`,
    );
  }
  if (provider !== "ollama") return text.replace(/\/+$/, "");
  const url = new URL(text);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !configured.includes("://")) url.port = "11434";
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/+$/, "");
}

function callLimits(
  local: boolean,
  timeout: number | undefined,
  { modelTimeoutSeconds }: Pick<ModelSettings, "modelTimeoutSeconds">,
  options: CreateModelOptions,
): CallLimits {
  // A local model may read a long prompt for minutes before its first word.
  const silence = options.silenceSeconds ?? timeout ?? (local ? 600 : 120);
  const stall = options.stallSeconds ?? Math.max(silence, local ? 600 : 480);
  return {
    silenceMs: silence * 1000,
    stallMs: stall * 1000,
    totalMs: modelTimeoutSeconds === null ? null : modelTimeoutSeconds * 1000,
  };
}

/** The fields of `BUB_COMPLETION_ARGS`; those in `extra_body` (Python's form) count as its own. */
function requestBody({ extra_body: extra, ...body }: JsonObject): JsonObject {
  return isJsonObject(extra) ? { ...body, ...extra } : body;
}

export { parseModelId } from "./model_id.ts";
