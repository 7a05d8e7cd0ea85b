import { describeError, isError, shownText } from "./failure.mts";
import { render } from "./render.mts";

/** Whatever was thrown, in a line; `lines` are those of the code. Never throws. */
export function describeThrown(thrown: unknown, lines: readonly string[]): string {
  try {
    return isError(thrown)
      ? describeError(thrown, lines)
      : `the code threw ${shownText(render(thrown))}, which is no Error`;
  } catch {
    return "the code failed with an error that cannot be shown";
  }
}
