/** How long an answer may be after all. */
export interface AnswerLimit {
  readonly tokens: number;
  /** Whether it holds for the model, or for this one request, whose prompt takes up the rest. */
  readonly lasting: boolean;
}

/** Fewer tokens than this are no room for an answer: then the context really is too long. */
const LEAST_ANSWER = 256;

/** The limit of the model, given as one number. */
const LIMIT = [
  /max\w*_tokens[`'"]?:? ?\d+ > (\d+)/,
  /at most (\d+) (?:completion|output) tokens/,
  /max\w*_tokens\b.{0,80}?(?:<=|less than or equal to|at most|no more than|cannot exceed|up to) ?[`'"]?(\d+)/,
  /max\w*_tokens\b.{0,60}?\[\d+, ?(\d+)\]/,
  /max\w*_tokens\b.{0,60}? between \d+ and (\d+)/,
];

/** The room that the prompt leaves: window and prompt, in this order. */
const WINDOW_AND_PROMPT = [
  /\(\d+ > (\d+) - (\d+)\)/,
  /maximum context length is (\d+) tokens.*?(?:has|contains at least|\() ?(\d+) (?:input tokens|in the messages|of text input|in your prompt)/,
];

/** The same where the prompt comes first: prompt + answer > window. */
const PROMPT_AND_WINDOW = /(\d+) ?\+ ?\d+ ?> ?(\d+)/;

/**
 * The answer length that a provider names when it refuses the one asked for: many models give
 * shorter answers than the default, and small windows are filled by it alone. Undefined when the
 * refusal says nothing of the kind, or leaves no room for an answer.
 */
export function answerLimit(text: string, asked: number): AnswerLimit | undefined {
  const words = text.toLowerCase().replaceAll(/(\d),(?=\d{3})/g, "$1");
  for (const pattern of LIMIT) {
    const limit = limited(pattern.exec(words)?.[1], asked);
    if (limit !== undefined) return { tokens: limit, lasting: true };
  }
  for (const pattern of WINDOW_AND_PROMPT) {
    const [, window, prompt] = pattern.exec(words) ?? [];
    const limit = limited(Number(window) - Number(prompt), asked);
    if (limit !== undefined) return { tokens: limit, lasting: false };
  }
  const [, prompt, window] = PROMPT_AND_WINDOW.exec(words) ?? [];
  const limit = limited(Number(window) - Number(prompt), asked);
  return limit === undefined ? undefined : { tokens: limit, lasting: false };
}

function limited(value: string | number | undefined, asked: number): number | undefined {
  const limit = Number(value);
  return limit >= LEAST_ANSWER && limit < asked ? limit : undefined;
}
