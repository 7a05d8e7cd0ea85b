import { BubError } from "../errors.ts";
import type { Media } from "../tool/output.ts";
import { sizeOf } from "./limit_errors.ts";

/** How many media a run may attach, and how many bytes all of them may have together. */
const MAX_MEDIA = 64;
const MAX_BYTES = 64 * 2 ** 20;

/** The media that one run of code shows to the model. */
export class ShownMedia {
  readonly #media: Media[] = [];
  #bytes = 0;

  /** In the order they were attached. */
  get all(): readonly Media[] {
    return [...this.#media];
  }

  /** Throws `tool` for what is too much: code may attach in a loop without end. */
  readonly add = (media: Media): void => {
    const bytes = "url" in media ? 0 : media.data.length;
    if (this.#media.length >= MAX_MEDIA) {
      throw new BubError("tool", `one run_code shows at most ${MAX_MEDIA} media`);
    }
    if (this.#bytes + bytes > MAX_BYTES) {
      const most = sizeOf(MAX_BYTES);
      throw new BubError("tool", `one run_code shows at most ${most} of media; show smaller ones`);
    }
    this.#bytes += bytes;
    this.#media.push(media);
  };
}
