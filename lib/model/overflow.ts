/** How providers and servers word it that a request holds more than the model can take in. */
const OVERFLOW = [
  /context[_ ]length[_ ]exceeded/,
  /context[_ ]overflow/,
  /context_window_exceeded|context window (?:is )?(?:exceeded|full)/,
  /maximum context (?:length|size|window)/,
  /(?:exceeds?|exceeded|exceeding|over|beyond|larger than|longer than|greater than|overflows?) (?:the )?(?:\w+[ '’]s? ?){0,4}context[- _](?:length|size|window|limit)/,
  /context (?:length|size|window|limit) (?:was |is |of [\d,]+ (?:tokens )?(?:was |is )?)?(?:exceeded|too small|is only)/,
  /exceeds? the available context/,
  /(?:configured )?context (?:size|length|window) is [\d,]+ tokens/,
  /(?:prompt|input|request|conversation|messages?)(?: \w+){0,3} (?:is|are|was) too (?:long|large|big)(?! for (?:this )?rate)/,
  /(?:input|prompt)(?: length| tokens?)? (?:exceeds?|is longer than)/,
  /tokens in request more than max tokens allowed/,
  /input token count .*exceeds the maximum/,
  /exceed(?:s|ed)? (?:the )?(?:max(?:imum)?|limit)(?: number)? (?:of )?(?:input |prompt |context )tokens?/,
  /max(?:imum)?[ _]prompt[ _](?:length|tokens)/,
  /too many (?:input )?tokens|reduce the length of the (?:messages|prompt|input)/,
  /request_too_large|request exceeds the maximum size/,
  /n_ctx|n_keep.*>=.*n_ctx/,
];

/** Limits that have other remedies: rates, the length of the answer, single attachments. */
const OTHER_LIMIT = [
  /rate[ _-]?limit|per[ _]?(?:minute|day|hour|second|min)\b|\b[tr]p[md]\b|quota/,
  /\b(?:image|file|attachment|document|video|audio)s?\b.{0,60}\b(?:exceed|too large|too big|maximum|limit)/,
  /tools?\b.{0,40}\b(?:name|description)\b.{0,40}\btoo long/,
];

/** An answer length that the model cannot give; not a context that is too long. */
const ANSWER_LIMIT =
  /max(?:imum)?_(?:completion_|output_|new_)?tokens[`'"]? ?(?:must|should|cannot|is too large|:? ?\d+ > ?\d+|value|has to)/;

/**
 * Whether a refusal means that the context is too long (a shorter one may pass), decided by the
 * provider's own words since statuses and codes differ from provider to provider.
 */
export function isContextOverflow(status: number | undefined, text: string): boolean {
  const words = text.toLowerCase();
  if (status === 429 || status === 401 || status === 403) return false;
  if (OTHER_LIMIT.some((wording) => wording.test(words))) return false;
  if (ANSWER_LIMIT.test(words) && !/context/.test(words)) return false;
  return status === 413 || OVERFLOW.some((wording) => wording.test(words));
}
