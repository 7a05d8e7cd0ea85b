import { toBubError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { type EntryDraft, toolResultEntry } from "../tape/entry.ts";
import type { MediaStore } from "../tape/media.ts";
import type { Media } from "../tool/output.ts";
import type { ToolResult } from "../tool/result.ts";
import type { TurnScope } from "./scope.ts";

/** The results of a step in the form the tape takes. Dispose of it once they are on the tape. */
export interface RecordedResults extends Disposable {
  /** The `tool_result` entry; null when there are no results. */
  readonly entry: EntryDraft | null;
}

/**
 * Puts the media of results into the store, so that the entry only refers to them (TP12). Never
 * rejects: media that cannot be kept become a text that says so, and a warning.
 */
export async function recordResults(
  results: readonly ToolResult[],
  meta: JsonObject,
  { tape, emit }: Pick<TurnScope, "tape" | "emit">,
): Promise<RecordedResults> {
  const keeper = new MediaKeeper(tape.media, (message) => emit({ type: "warning", message }));
  const values = await Promise.all(
    results.map((result) => result.media.length > 0 ? keeper.parts(result) : result.value),
  );
  const errors = results.flatMap(({ status }, index) => status === "error" ? [index] : []);
  const parts = results.flatMap(({ media }, index) => media.length > 0 ? [index] : []);
  const marks = parts.length > 0 ? { errors, parts } : { errors };
  return {
    entry: values.length > 0 ? toolResultEntry(values, { ...meta, ...marks }) : null,
    [Symbol.dispose]: () => keeper[Symbol.dispose](),
  };
}

/** Stores media, and from the first on keeps those of the store from being swept away. */
class MediaKeeper implements Disposable {
  readonly #store: MediaStore;
  readonly #warn: (message: string) => void;
  readonly #holds = new DisposableStack();
  #holding: Promise<unknown> | undefined;

  constructor(store: MediaStore, warn: (message: string) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  /** What the model reads of a result, and its media: a list of content parts. */
  async parts({ text, media }: ToolResult): Promise<readonly JsonValue[]> {
    return [{ type: "text", text }, ...await Promise.all(media.map((each) => this.#keep(each)))];
  }

  [Symbol.dispose](): void {
    this.#holds.dispose();
  }

  async #keep(media: Media): Promise<JsonValue> {
    try {
      await (this.#holding ??= this.#hold());
      return await this.#store.put(media);
    } catch (thrown) {
      const { message } = toBubError(thrown, "storage");
      this.#warn(`${media.label}: ${message}`);
      return { type: "text", text: `[${media.label}: not available: ${message}]` };
    }
  }

  async #hold(): Promise<void> {
    this.#holds.use(await this.#store.hold());
  }
}
