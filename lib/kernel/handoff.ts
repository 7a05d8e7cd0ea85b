import { BubError } from "../errors.ts";
import type { ChatMessage, UserMessage } from "../model/model.ts";
import type { Tape } from "../tape/tape.ts";

/** The anchor behind which a turn goes on whose context did not fit the model. */
const OVERFLOW_ANCHOR = "auto_handoff/context_overflow";

const GOING_ON =
  "[This turn has been going on for a while: what was said and done in it so far is no longer " +
  "shown. It is on the session's tape, unless that has been reset.]";

/** Starts a new context after the model refused the one there was as too long (TP11). */
export async function handOffOverflow(tape: Tape, { message }: BubError): Promise<void> {
  await tape.handoff(OVERFLOW_ANCHOR, {
    summary: `The context no longer fitted the model, so it starts anew here (${message}).`,
  });
}

/** What ends a turn whose context is too long although it has been handed off. */
export function stillOverflowing(error: BubError): BubError {
  return new BubError(
    error.kind,
    `the context is still too long after an automatic handoff: ${error.message}`,
    { details: error.details, cause: error },
  );
}

/**
 * The prompts of a step; with the turn's own once more where the model would see no word of the
 * user: an anchor or a reset in the middle of the turn has taken it out of the context.
 */
export function heardPrompts(
  context: readonly ChatMessage[],
  prompts: readonly UserMessage[],
  turnPrompt: UserMessage,
): readonly UserMessage[] {
  const isHeard = [...context, ...prompts].some(({ role }) => role === "user");
  return isHeard ? prompts : [turnPrompt, { role: "user", content: GOING_ON }];
}
