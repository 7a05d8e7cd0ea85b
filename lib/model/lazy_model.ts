import type { Model, ModelEvent, ModelRequest } from "./model.ts";

/** The model `id`, which is loaded when it is asked first. */
export function lazyModel(id: string, load: () => Promise<Model>): Model {
  let loaded: Promise<Model> | undefined;
  return {
    id,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      yield* (await (loaded ??= load())).stream(request, signal);
    },
  };
}
