import {
  type EntryDraft,
  eventEntry,
  messageEntry,
  toolCallEntry,
  toolResultEntry,
} from "../../lib/tape/entry.ts";

const WORDS =
  `the a of and to in it that is was for on are with as his they be at one have this from
or had by hot but some what there we can out other were all your when up use word how said each
server connection refused request timeout retry parser token module import compile test failed
passed expected received error warning file folder path line column branch commit merge release`
    .split(/\s+/);

/**
 * Drafts as sessions leave them: a question, a call, its result, an answer and what the step took,
 * about 300 bytes each. Every run of the bench gets the same ones.
 *
 * @param opening What the first message says.
 */
export function* talk(entries: number, opening: string): Generator<EntryDraft, void, void> {
  let state = 1;
  const text = (words: number) =>
    Array.from({ length: words }, () => {
      state = state * 1103515245 + 12345 & 0x7fffffff;
      return WORDS[(state >> 8) % WORDS.length];
    }).join(" ");
  const step = [
    (meta: EntryDraft["meta"]) => messageEntry({ role: "user", content: text(30) }, meta),
    (meta: EntryDraft["meta"]) => toolCallEntry([call(text(8))], meta),
    (meta: EntryDraft["meta"]) => toolResultEntry([text(40)], meta),
    (meta: EntryDraft["meta"]) => messageEntry({ role: "assistant", content: text(30) }, meta),
    (meta: EntryDraft["meta"]) => eventEntry("run", RUN, meta),
  ];
  yield messageEntry({ role: "user", content: opening });
  for (let n = 1; n < entries; n++) {
    const draft = step[n % step.length]?.({ run_id: `run-${Math.floor(n / step.length)}` });
    if (draft !== undefined) yield draft;
  }
}

const RUN = {
  status: "ok",
  model: "bench",
  provider: "openai-compatible",
  usage: {
    prompt_tokens: 1200,
    completion_tokens: 80,
    total_tokens: 1280,
    prompt_tokens_details: { cached_tokens: 1024 },
  },
};

function call(command: string) {
  return {
    id: "call_1",
    type: "function",
    function: { name: "bash", arguments: JSON.stringify({ command }) },
  } as const;
}
