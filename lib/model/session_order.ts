import type { ModelRequest } from "./model.ts";

/** Numbers sessions by their start, and the requests of each. */
export class SessionOrder {
  readonly #sessions = new Map<string, { readonly session: number; requests: number }>();

  /**
   * The number of the session that asks (0 for the first) and of this request in it (1 for the
   * first). Sessions that have no number of their own count in the order in which they first ask.
   */
  next(
    { sessionId, sessionNumber }: Pick<ModelRequest, "sessionId" | "sessionNumber">,
  ): { readonly session: number; readonly n: number } {
    const known = this.#sessions.get(sessionId) ??
      { session: sessionNumber ?? this.#sessions.size, requests: 0 };
    this.#sessions.set(sessionId, known);
    known.requests++;
    return { session: known.session, n: known.requests };
  }
}
