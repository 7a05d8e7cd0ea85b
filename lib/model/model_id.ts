import { alternatives, closeMatches } from "../close_match.ts";
import { BubError } from "../errors.ts";
import { isProviderName, PROVIDER_NAMES, type ProviderName } from "./provider.ts";

/** The two halves of `provider:model`. */
export interface ModelId {
  readonly provider: ProviderName;
  /** Everything after the first colon; may hold colons of its own. */
  readonly model: string;
}

/** Splits `provider:model`. Throws `config`, saying what a right one looks like. */
export function parseModelId(id: string): ModelId {
  const colon = id.indexOf(":");
  const provider = colon < 0 ? "" : id.slice(0, colon).trim().toLowerCase();
  const model = id.slice(colon + 1).trim();
  const known = PROVIDER_NAMES.join(", ");
  if (colon < 0 && isProviderName(id.trim().toLowerCase())) {
    throw new BubError(
      "config",
      `model ${
        JSON.stringify(id)
      } names a provider and no model; set BUB_MODEL or --model to ${id}:<model>`,
    );
  }
  if (colon < 0 || provider === "") {
    throw new BubError(
      "config",
      `model ${JSON.stringify(id)} names no provider; set BUB_MODEL or --model to ` +
        `provider:model, such as openai:${model || "<model>"}, with one of ${known}`,
    );
  }
  if (!isProviderName(provider)) {
    const close = closeMatches(provider, PROVIDER_NAMES);
    const hint = close.length > 0
      ? `did you mean ${alternatives(close)}?`
      : `known are ${known}; any other server that speaks OpenAI's API is ` +
        `openai-compatible:<model> with BUB_OPENAI_COMPATIBLE_API_BASE`;
    throw new BubError(
      "config",
      `unknown provider ${JSON.stringify(provider)} in model ${JSON.stringify(id)}; ${hint}`,
    );
  }
  if (model === "") {
    throw new BubError(
      "config",
      `model ${JSON.stringify(id)} names no model; ` +
        (provider === "replay"
          ? "write replay:<file>"
          : `set BUB_MODEL or --model to ${provider}:<model>`),
    );
  }
  return { provider, model };
}
