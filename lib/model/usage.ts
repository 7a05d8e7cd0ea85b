import type { Usage } from "./model.ts";

export const NO_USAGE: Usage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  prompt_tokens_details: { cached_tokens: 0 },
};

/** The sum of two figures; estimated as soon as one of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    prompt_tokens_details: {
      cached_tokens: a.prompt_tokens_details.cached_tokens + b.prompt_tokens_details.cached_tokens,
    },
  };
  return a.estimated || b.estimated ? { ...sum, estimated: true } : sum;
}
