import { BubError, toBubError } from "../errors.ts";
import type { TapeEntry } from "../tape/entry.ts";
import { usageOf } from "./estimate.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { readRecording, type RecordedAnswer, type Recording } from "./recording.ts";
import { SessionOrder } from "./session_order.ts";

/** Reads the entries of a recording or a tape, from its start; the path is as it was written. */
export type RecordingLoader = (file: string) => AsyncIterable<TapeEntry>;

/** Characters of one piece of replayed text: enough to see it stream, few enough events. */
const PIECE = 40;

/**
 * The models behind `replay:<file>`. One for each file, however often it is asked for: a parent
 * and its subagents draw on one count of sessions.
 */
export class Replays {
  readonly #load: RecordingLoader;
  readonly #models = new Map<string, Model>();

  constructor(load: RecordingLoader) {
    this.#load = load;
  }

  model(file: string): Model {
    const known = this.#models.get(file);
    if (known !== undefined) return known;
    const model = new ReplayModel(file, this.#load);
    this.#models.set(file, model);
    return model;
  }
}

/**
 * Answers the nth request of the nth session with the nth answer that is recorded for it, whatever
 * the request says. Costs nothing and needs no network.
 */
class ReplayModel implements Model {
  readonly id: string;
  readonly #file: string;
  readonly #load: RecordingLoader;
  readonly #order = new SessionOrder();
  #recording: Promise<Recording> | undefined;

  constructor(file: string, load: RecordingLoader) {
    this.id = `replay:${file}`;
    this.#file = file;
    this.#load = load;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) throw toBubError(signal.reason, "interrupted");
    const { session, n } = this.#order.next(request);
    this.#recording ??= readRecording(this.#load(this.#file));
    const answers = (await this.#recording).get(session) ?? [];
    const answer = answers[n - 1];
    if (answer === undefined) {
      throw new BubError(
        "model",
        `no answer left in ${this.#file}: session ${session} (${request.sessionId}) asks for its ` +
          `answer ${n}, and ${answers.length} are recorded`,
        { details: { file: this.#file, session, n, recorded: answers.length } },
      );
    }
    yield* play(answer, request);
  }
}

function* play(answer: RecordedAnswer, request: ModelRequest): Generator<ModelEvent> {
  const { text, calls, reasoning, finish, rawFinish, usage } = answer;
  for (const part of reasoning) {
    if (part.text !== "") yield { type: "reasoning", text: part.text };
  }
  for (const piece of pieces(text)) yield { type: "text", text: piece };
  for (const call of calls) yield { type: "tool_call", call };
  yield {
    type: "finish",
    reason: finish,
    rawReason: rawFinish,
    usage: usage ?? usageOf(undefined, { request, written: text + JSON.stringify(calls) }),
    reasoning,
  };
}

function* pieces(text: string): Generator<string> {
  const characters = Array.from(text);
  for (let start = 0; start < characters.length; start += PIECE) {
    yield characters.slice(start, start + PIECE).join("");
  }
}
