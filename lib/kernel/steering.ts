/** Messages for a session that arrived while it could not read them, in order of arrival. */
export class SteeringInbox {
  readonly #messages: string[] = [];

  get pending(): readonly string[] {
    return [...this.#messages];
  }

  put(message: string): void {
    this.#messages.push(message);
  }

  /** Takes everything out. */
  drain(): readonly string[] {
    return this.#messages.splice(0);
  }

  /** Puts messages back in front: the step that took them never reached the model. */
  restore(messages: readonly string[]): void {
    this.#messages.unshift(...messages);
  }
}
