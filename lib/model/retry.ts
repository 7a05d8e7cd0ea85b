import { BubError, type ErrorKind, toBubError } from "../errors.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";

export interface RetryOptions {
  /** How often a request goes out at most, the first time included. @default {5} */
  readonly attempts?: number;
  /** Milliseconds that one request may spend waiting, over all its attempts. @default {120_000} */
  readonly totalMs?: number;
  /** Milliseconds before the second attempt; they double with each. @default {1000} */
  readonly baseMs?: number;
  /** Spreads the waits of clients that failed together: 0 to 1. @default {Math.random} */
  readonly random?: () => number;
}

/** Failures that pass. */
const PASSING: ReadonlySet<ErrorKind> = new Set(["rate_limit", "server", "connection"]);

/**
 * Sends a request again when its failure may pass, after a wait that doubles, or as long as the
 * provider asks for. Says so with a `retry` event, which makes void what came before it. A wait
 * beyond the budget fails at once; other failures go straight through.
 */
export function withRetry(model: Model, options: RetryOptions = {}): Model {
  const { attempts = 5, totalMs = 120_000, baseMs = 1000, random = Math.random } = options;
  return {
    id: model.id,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      let waited = 0;
      for (let attempt = 1;; attempt++) {
        try {
          yield* model.stream(request, signal);
          return;
        } catch (thrown) {
          const error = toBubError(thrown);
          if (signal.aborted || !PASSING.has(error.kind)) throw error;
          if (attempt >= attempts) throw withNote(error, `after ${attempt} attempts`);
          const asked = error.details?.retry_after;
          const backOff = baseMs * 2 ** (attempt - 1) * (0.5 + random() / 2);
          const delayMs = Math.round(typeof asked === "number" ? asked * 1000 : backOff);
          if (waited + delayMs > totalMs) throw withNote(error, budgetNote(delayMs, totalMs));
          waited += delayMs;
          yield { type: "retry", attempt: attempt + 1, delayMs, reason: error.message };
          await wait(delayMs, signal);
        }
      }
    },
  };
}

function budgetNote(delayMs: number, totalMs: number): string {
  const [delay, total] = [delayMs, totalMs].map((ms) => `${Math.ceil(ms / 1000)} s`);
  return `a further wait of ${delay} would go over the ${total} allowed`;
}

function withNote(error: BubError, note: string): BubError {
  return new BubError(error.kind, `${error.message} (${note})`, {
    details: error.details,
    cause: error,
  });
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import("node:timers/promises");
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch {
    throw toBubError(signal.reason, "interrupted");
  }
}
