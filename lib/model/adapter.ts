import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AdapterName } from "./provider.ts";

/** The packages that speak to providers. Static texts, so that a compiled binary holds them. */
const PACKAGES = {
  chat: () => import("@ai-sdk/openai-compatible"),
  responses: () => import("@ai-sdk/openai"),
  messages: () => import("@ai-sdk/anthropic"),
  gemini: () => import("@ai-sdk/google"),
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

/** The model behind an endpoint. Nothing is sent; the package is loaded if it is not yet. */
export async function connect(
  adapter: LoadedAdapter,
  { model, apiKey, ...settings }: Endpoint,
): Promise<LanguageModelV4> {
  // Without a key the packages would look for one in the environment; loopback servers need none.
  const keyed = { ...settings, apiKey: apiKey ?? "none" };
  switch (adapter) {
    case "chat": {
      const { createOpenAICompatible } = await PACKAGES.chat();
      return createOpenAICompatible({
        ...settings,
        ...(apiKey === undefined ? {} : { apiKey }),
        name: "openaiCompatible",
        includeUsage: true,
      }).chatModel(model);
    }
    case "responses": {
      const { createOpenAI } = await PACKAGES.responses();
      return createOpenAI(keyed).responses(model);
    }
    case "messages": {
      const { createAnthropic } = await PACKAGES.messages();
      return createAnthropic(keyed)(model);
    }
    case "gemini": {
      const { createGoogle } = await PACKAGES.gemini();
      return createGoogle(keyed)(model);
    }
  }
}
