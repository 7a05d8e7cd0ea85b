import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { BubError } from "../errors.ts";

/** How hard a model is to think, in the words of the AI SDK. */
export type Effort = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

const EFFORTS: Readonly<Record<string, Effort>> = {
  auto: "provider-default",
  none: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

/** The effort that `name` stands for, in any case. Throws `config`, listing the names. */
export function parseEffort(name: string): Effort {
  const known = Object.hasOwn(EFFORTS, name.toLowerCase())
    ? EFFORTS[name.toLowerCase()]
    : undefined;
  if (known !== undefined) return known;
  throw new BubError(
    "config",
    `reasoning_effort ${JSON.stringify(name)} is unknown; it is one of ${
      Object.keys(EFFORTS).join(", ")
    }`,
  );
}
