import type { LanguageModelV4 } from "@ai-sdk/provider";
import { requireGranted } from "../environment/granted.ts";
import { BubError, toBubError } from "../errors.ts";
import type { AdapterName } from "./provider.ts";

// Deno loads whatever an import names literally, all four packages for each run. A name in a
// variable is looked at when its import runs; `deno compile` is given the folder.
const MODULES = {
  chat: "./package/chat.ts",
  responses: "./package/responses.ts",
  messages: "./package/messages.ts",
  gemini: "./package/gemini.ts",
} as const;

/**
 * The packages that speak to providers, by adapter. Two look for a variable as they load, of which
 * nothing here makes use.
 */
const PACKAGES = {
  chat: (): Promise<typeof import("./package/chat.ts")> => import(MODULES.chat),
  responses: async (): Promise<typeof import("./package/responses.ts")> => {
    requireGranted({ name: "env", variable: "OPENAI_BASE_URL" });
    return await import(MODULES.responses);
  },
  messages: async (): Promise<typeof import("./package/messages.ts")> => {
    requireGranted({ name: "env", variable: "ANTHROPIC_BASE_URL" });
    return await import(MODULES.messages);
  },
  gemini: (): Promise<typeof import("./package/gemini.ts")> => import(MODULES.gemini),
} as const;

/** What those packages are called where they come from. */
const NAMES = {
  chat: "@ai-sdk/openai-compatible",
  responses: "@ai-sdk/openai",
  messages: "@ai-sdk/anthropic",
  gemini: "@ai-sdk/google",
} as const;

export type LoadedAdapter = keyof typeof PACKAGES;

export interface Endpoint {
  readonly model: string;
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly headers: Record<string, string>;
  readonly fetch: typeof fetch;
}

/** Starts loading a package; a failure shows when it is used. */
export function preload(adapter: AdapterName): void {
  if (adapter !== "replay") PACKAGES[adapter]().catch(() => undefined);
}

/** Loads the package of an adapter. Throws as `connect` does. */
export async function loadAdapter(adapter: LoadedAdapter): Promise<void> {
  await loadPackage<unknown>(NAMES[adapter], PACKAGES[adapter]);
}

/**
 * The model behind an endpoint. Nothing is sent; the package is loaded if it is not yet. Throws
 * `config` when it cannot be, and `permission` when it may not read a variable that it wants.
 */
export async function connect(
  adapter: LoadedAdapter,
  { model, apiKey, ...settings }: Endpoint,
): Promise<LanguageModelV4> {
  // Without a key the packages would look for one in the environment; loopback servers need none.
  const keyed = { ...settings, apiKey: apiKey ?? "none" };
  switch (adapter) {
    case "chat": {
      const { createOpenAICompatible } = await loadPackage(NAMES.chat, PACKAGES.chat);
      return createOpenAICompatible({
        ...settings,
        ...(apiKey === undefined ? {} : { apiKey }),
        name: "openaiCompatible",
        includeUsage: true,
      }).chatModel(model);
    }
    case "responses": {
      const { createOpenAI } = await loadPackage(NAMES.responses, PACKAGES.responses);
      return createOpenAI(keyed).responses(model);
    }
    case "messages": {
      const { createAnthropic } = await loadPackage(NAMES.messages, PACKAGES.messages);
      return createAnthropic(keyed)(model);
    }
    case "gemini": {
      const { createGoogle } = await loadPackage(NAMES.gemini, PACKAGES.gemini);
      return createGoogle(keyed)(model);
    }
  }
}

/**
 * What `load` imports of the package `name`. Throws `config` in one line when that fails: run from
 * source, a package is downloaded when first used, and asking again does not bring a network. Throws
 * `permission` for one that may not look for its variable.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (cause instanceof Deno.errors.NotCapable) {
      const { kind, message } = toBubError(cause);
      throw new BubError(kind, `the package ${name} cannot be loaded: ${message}`, { cause });
    }
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n", 1);
    throw new BubError(
      "config",
      `the package ${name} cannot be loaded, which is downloaded when first used: ${reason}`,
      { cause },
    );
  }
}
