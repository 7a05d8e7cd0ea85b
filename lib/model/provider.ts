/** How a provider is spoken to; each is one AI SDK package, loaded when first used. */
export const ADAPTERS = ["chat", "responses", "messages", "gemini", "replay"] as const;
export type AdapterName = typeof ADAPTERS[number];

/** What is known of a provider before anything is loaded. */
export interface Provider {
  readonly adapter: AdapterName;
  /** The API base when none is configured; without one it has to be. */
  readonly base?: string;
  /** Variables that usually hold its key, first wins. They are kept from child processes. */
  readonly keyVariables: readonly string[];
  /** Variables that usually hold its API base, first wins. */
  readonly baseVariables: readonly string[];
  /** Whether the server itself decides if it wants a key. */
  readonly keyless?: true;
  /** Whether `reasoning_content` goes back with the calls it led to; the others refuse the field. */
  readonly returnsReasoning?: true;
  /** Whether it refuses `stream_options` (and sends its usage without being asked). */
  readonly plainStream?: true;
}

/** Every provider there is, by the name before the colon of `provider:model`. */
export const PROVIDERS = {
  openai: {
    adapter: "responses",
    base: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseVariables: ["OPENAI_API_BASE", "OPENAI_BASE_URL"],
  },
  "openai-compatible": {
    adapter: "chat",
    keyVariables: [],
    baseVariables: [],
    keyless: true,
  },
  anthropic: {
    adapter: "messages",
    base: "https://api.anthropic.com/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseVariables: ["ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"],
  },
  google: {
    adapter: "gemini",
    base: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    baseVariables: ["GOOGLE_API_BASE"],
  },
  openrouter: {
    adapter: "chat",
    base: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    baseVariables: ["OPENROUTER_API_BASE"],
  },
  ollama: {
    adapter: "chat",
    base: "http://127.0.0.1:11434/v1",
    keyVariables: ["OLLAMA_API_KEY"],
    baseVariables: ["OLLAMA_API_BASE", "OLLAMA_HOST"],
    keyless: true,
  },
  groq: {
    adapter: "chat",
    base: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
    baseVariables: ["GROQ_API_BASE"],
  },
  deepseek: {
    adapter: "chat",
    base: "https://api.deepseek.com/v1",
    keyVariables: ["DEEPSEEK_API_KEY"],
    baseVariables: ["DEEPSEEK_API_BASE"],
    returnsReasoning: true,
  },
  mistral: {
    adapter: "chat",
    base: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    baseVariables: ["MISTRAL_API_BASE"],
    plainStream: true,
  },
  replay: { adapter: "replay", keyVariables: [], baseVariables: [], keyless: true },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

/** Whether `name` is a provider of the table. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name);
}

/** The row of a provider. */
export function providerFacts(name: ProviderName): Provider {
  return PROVIDERS[name];
}

/** This program's own variable for a provider: `BUB_OPENAI_COMPATIBLE_API_KEY` and the like. */
export function providerVariable(name: string, setting: "API_KEY" | "API_BASE"): string {
  return `BUB_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_${setting}`;
}

/** Where a key for this provider may come from, in the order of precedence. */
export function keySources(name: ProviderName): readonly string[] {
  return [providerVariable(name, "API_KEY"), "BUB_API_KEY", ...PROVIDERS[name].keyVariables];
}
