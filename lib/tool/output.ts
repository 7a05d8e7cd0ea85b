import type { BubError } from "../errors.ts";
import type { JsonValue } from "../json.ts";

/** An image, sound or film for the model, in bytes. */
export interface InlineMedia {
  readonly mediaType: string;
  readonly data: Uint8Array<ArrayBuffer>;
  /** One line for people: type, size, path. */
  readonly label: string;
}

/** The same where only the provider itself opens it. */
export interface LinkedMedia {
  readonly mediaType: string;
  /** An address of the provider's own storage, such as `gs://bucket/film.mp4`. */
  readonly url: string;
  /** One line for people: type, address. */
  readonly label: string;
}

/** What a result, or a prompt, shows to the model. */
export type Media = InlineMedia | LinkedMedia;

/** A result with media: the model sees both, a text command prints the value. */
export class MediaOutput {
  constructor(readonly value: JsonValue, readonly media: readonly Media[]) {}
}

/**
 * Text too long to hold in memory: the model gets the preview, a text command prints the chunks.
 */
export class StreamedOutput {
  constructor(readonly preview: string, readonly chunks: () => AsyncIterable<string>) {}
}

/** A failure that has media all the same. Tools that have none throw instead. */
export class FailedOutput {
  constructor(readonly error: BubError, readonly media: readonly Media[]) {}
}

/** What a tool returns: text, a JSON value, or one of them in a special form. */
export type ToolOutput = JsonValue | MediaOutput | StreamedOutput | FailedOutput;
