import { inOneLine } from "../content/text.ts";
import { toBubError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { MediaStore } from "../tape/media.ts";
import type { Media } from "../tool/output.ts";
import type { TurnScope } from "./scope.ts";

/**
 * Puts media into the store of a tape, so that entries only refer to them (TP12). From the first on
 * nothing of the store is swept away: dispose of it once the entries are on the tape.
 */
export class MediaKeeper implements Disposable {
  readonly #store: MediaStore;
  readonly #warn: (message: string) => void;
  readonly #holds = new DisposableStack();
  #holding: Promise<unknown> | undefined;

  constructor({ tape, emit }: Pick<TurnScope, "tape" | "emit">) {
    this.#store = tape.media;
    this.#warn = (message) => emit({ type: "warning", message });
  }

  /**
   * What an entry says in the place of media. Never rejects: what cannot be kept becomes a text
   * that says so, and a warning.
   */
  async part(media: Media): Promise<JsonObject> {
    const { mediaType } = media;
    // Plugins and callers write labels too.
    const label = inOneLine(media.label);
    if ("url" in media) return { type: "media", media_type: mediaType, url: media.url, label };
    try {
      await (this.#holding ??= this.#hold());
      return await this.#store.put({ ...media, label });
    } catch (thrown) {
      const { message } = toBubError(thrown, "storage");
      this.#warn(`${label}: ${message}`);
      return { type: "text", text: `[${label}: not available: ${message}]` };
    }
  }

  [Symbol.dispose](): void {
    this.#holds.dispose();
  }

  async #hold(): Promise<void> {
    this.#holds.use(await this.#store.hold());
  }
}
