import type { BubEvent, TurnResult } from "../../event.ts";

/** Shows one turn to whoever reads the outputs. */
export interface Renderer {
  /** Takes the events of the turn, in order. */
  readonly onEvent: (event: BubEvent) => void;
  /** Takes the output of a text command piece by piece; undefined: the result is to hold it. */
  readonly write: ((piece: string) => Promise<void>) | undefined;
  /** Shows how the turn ended; comes last, once. */
  finish(result: TurnResult): Promise<void>;
}
