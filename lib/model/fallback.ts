import { BubError, type ErrorKind, toBubError } from "../errors.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";

export interface FallbackOptions {
  /** Milliseconds for which a model that failed is not asked while others do. @default {300_000} */
  readonly restMs?: number;
}

/** Failures that another model would not cure. */
const FINAL: ReadonlySet<ErrorKind> = new Set(["context_overflow", "interrupted"]);

/**
 * Asks the first model, and when it fails for good the next one, and so on. Says so with a
 * `fallback` event, which makes void what came before it. A model that failed rests for a while,
 * so that the steps that follow do not each wait for it to fail again. Throws what the last one
 * threw.
 */
export function withFallback(models: readonly Model[], options: FallbackOptions = {}): Model {
  const [first] = models;
  if (first === undefined) throw new BubError("internal", "a fallback chain needs a model");
  const { restMs = 300_000 } = options;
  const restsUntil = new Map<Model, number>();
  const isResting = (model: Model) => (restsUntil.get(model) ?? 0) > Date.now();
  return {
    id: first.id,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      const awake = models.filter((model) => !isResting(model));
      const chain = awake.length > 0 ? awake : models;
      let reason = `${first.id} failed a short while ago`;
      let last: unknown;
      for (const model of chain) {
        if (model !== first) yield { type: "fallback", model: model.id, reason };
        try {
          yield* model.stream(request, signal);
          restsUntil.delete(model);
          return;
        } catch (thrown) {
          const error = toBubError(thrown);
          if (signal.aborted || FINAL.has(error.kind)) throw error;
          restsUntil.set(model, Date.now() + restMs);
          reason = error.message;
          last = error;
        }
      }
      throw last;
    },
  };
}
