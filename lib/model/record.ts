import type { EntryDraft, ToolCall } from "../tape/entry.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { answerDrafts } from "./recording.ts";
import { SessionOrder } from "./session_order.ts";

/** Takes the entries of one answer; resolves once they are written. */
export type RecordingSink = (drafts: readonly EntryDraft[]) => Promise<void>;

/**
 * What `--record` collects: one for a whole run, shared by the models of all its sessions, whose
 * numbers it gives.
 */
export class Recorder {
  readonly #sink: RecordingSink;
  readonly #order = new SessionOrder();

  constructor(sink: RecordingSink) {
    this.#sink = sink;
  }

  /** The same model, whose whole answers are recorded before their `finish` is handed on. */
  record(model: Model): Model {
    const order = this.#order;
    const sink = this.#sink;
    return {
      id: model.id,
      async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
        // Counted when it asks, so that sessions keep their order whoever is answered first.
        const number = order.next(request);
        let answered = model.id;
        let text = "";
        let calls: ToolCall[] = [];
        for await (const event of model.stream(request, signal)) {
          switch (event.type) {
            case "text":
              text += event.text;
              break;
            case "tool_call":
              calls.push(event.call);
              break;
            case "fallback":
              answered = event.model;
              text = "";
              calls = [];
              break;
            case "retry":
              text = "";
              calls = [];
              break;
            case "finish": {
              const { reason: finish, rawReason: rawFinish, usage, reasoning = [] } = event;
              await sink(answerDrafts(
                { text, calls, reasoning, finish, rawFinish, usage },
                { ...number, model: answered },
              ));
              break;
            }
            default:
              break;
          }
          yield event;
        }
      },
    };
  }
}
