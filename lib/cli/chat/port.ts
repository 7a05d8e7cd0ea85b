import type { TextStream } from "../console.ts";

/** Where a conversation takes place: what it can be shown on. */
export interface ChatPort {
  /** Takes what the model says. */
  readonly answers: TextStream;
  /** Takes everything else: calls, warnings, errors. */
  readonly notes: TextStream;
  /** Whether a person sits there, who can answer a hint. */
  readonly isInteractive: boolean;
  /** Says whether a turn is under way; when none is, the next message is asked for. */
  setBusy(busy: boolean): void;
}
