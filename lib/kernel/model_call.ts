import { BubError } from "../errors.ts";
import type { EventBody } from "../event.ts";
import type { ModelAnswer, ModelCall } from "../hook/model_call.ts";
import type { TurnHooks } from "../hook/turn_hooks.ts";
import type { ModelRequest } from "../model/model.ts";
import { type Answer, collectAnswer } from "./answer.ts";
import type { TurnScope } from "./scope.ts";

/** What a step listens with. */
type Emit = (event: EventBody) => void;

/**
 * Calls the model, hooks before and after it included; the answer is collected in `answer`. Throws
 * `permission` for a call that a hook denies, else what the model throws.
 */
export async function callModel(
  request: ModelRequest,
  answer: Answer,
  step: number,
  { model, turnHooks, signal, emit }: TurnScope,
): Promise<void> {
  if (turnHooks === undefined) {
    return await collectAnswer(model, request, answer, { step, signal, emit });
  }
  const decision = await turnHooks.beforeModelCall({ step, request });
  signal.throwIfAborted();
  if (decision.action === "deny") throw new BubError("permission", decision.message);
  const call = decision.action === "proceed" ? decision.call : { step, request };
  const words = new HeldWords(step, emit);
  const holds = turnHooks.holdsAnswers;
  if (decision.action === "proceed") {
    const options = { step, signal, emit: holds ? words.emit : emit };
    await collectAnswer(model, call.request, answer, options);
  } else {
    Object.assign(answer, decision.answer);
  }
  if (holds) {
    const kept = await review(answer, turnHooks, call);
    words.release(answer.text, kept);
  } else if (decision.action === "replace") {
    words.release(answer.text, true);
  }
}

/** Lets the hooks see, and replace, an answer; true: it is the model's still. */
async function review(answer: Answer, hooks: TurnHooks, call: ModelCall): Promise<boolean> {
  const { text, calls, finish, usage, model } = answer;
  const given: ModelAnswer = { text, calls, finish, usage, model };
  const final = await hooks.afterModelCall(call, given);
  if (final === given) return true;
  // Reasoning is signed together with the answer it led to, and goes with it.
  Object.assign(answer, { text: final.text, calls: final.calls, finish: final.finish });
  answer.reasoning = [];
  return false;
}

/** The words of an answer, which watchers learn when the hooks are done with it. */
class HeldWords {
  readonly #step: number;
  readonly #emit: Emit;
  #reasoning = "";

  constructor(step: number, emit: Emit) {
    this.#step = step;
    this.#emit = emit;
  }

  /** Hands on whatever is no word of the answer. */
  readonly emit: Emit = (event) => {
    if (event.type === "reasoning") this.#reasoning += event.text;
    else if (event.type !== "text") this.#emit(event);
    // The request goes out again: what was thought so far is void.
    if (event.type === "retry" || event.type === "fallback") this.#reasoning = "";
  };

  /** Tells the text, behind the reasoning that led to it where that is still so. */
  release(text: string, reasoned: boolean): void {
    const step = this.#step;
    if (reasoned && this.#reasoning !== "") {
      this.#emit({ type: "reasoning", step, text: this.#reasoning });
    }
    if (text !== "") this.#emit({ type: "text", step, text });
  }
}
