import type { TurnResult } from "../event.ts";
import { isJsonObject } from "../json.ts";
import type { ChatMessage } from "../model/model.ts";
import type { Tape } from "../tape/tape.ts";
import { denialMessage } from "../tool/hooks.ts";
import { unexpected } from "../tool/unexpected.ts";
import { endTime, type HookRow } from "./hook_row.ts";
import type { HookTurn, PromptSection, TapeContext } from "./hooks.ts";
import { changedRequest, givenAnswer } from "./given.ts";
import type { AfterModelCall, BeforeModelCall, ModelAnswer, ModelCall } from "./model_call.ts";

/** What the hooks before a model call came to; `proceed` carries the request as it goes out. */
export type ModelCallDecision =
  | { readonly action: "proceed"; readonly call: ModelCall }
  | { readonly action: "replace"; readonly answer: Pick<ModelAnswer, "text" | "calls"> }
  | { readonly action: "deny"; readonly message: string };

/** The hooks of all plugins for one turn. Nothing here rejects for what a hook did. */
export class TurnHooks {
  readonly turn: HookTurn;
  readonly #row: HookRow;

  constructor(turn: HookTurn, row: HookRow) {
    this.turn = turn;
    this.#row = row;
  }

  /** Whether answers are to be held back from watchers until `afterModelCall` is done with them. */
  get holdsAnswers(): boolean {
    return this.#row.has("afterModelCall");
  }

  async buildPrompt(): Promise<string> {
    const { turn } = this;
    let prompt = turn.message;
    await this.#row.ask(
      "buildPrompt",
      turn.signal,
      (hooks) => hooks.buildPrompt?.(turn),
      (text) => {
        prompt = checkedText(text);
        return true;
      },
    );
    return prompt;
  }

  async systemPrompt(sections: readonly PromptSection[]): Promise<readonly PromptSection[]> {
    const { turn } = this;
    let current = sections;
    await this.#row.ask(
      "systemPrompt",
      turn.signal,
      (hooks) => hooks.systemPrompt?.(turn, current),
      (returned, name) => {
        current = typeof returned === "string"
          ? [...current, { name, text: returned }]
          : checkedSections(returned);
      },
    );
    return current;
  }

  /** Undefined: no message. */
  async continuePrompt(step: number): Promise<string | undefined> {
    const { turn } = this;
    let prompt: string | undefined;
    await this.#row.ask(
      "continuePrompt",
      turn.signal,
      (hooks) => hooks.continuePrompt?.(turn, step),
      (text) => {
        prompt = checkedText(text);
        return true;
      },
    );
    return prompt;
  }

  async beforeModelCall(call: ModelCall): Promise<ModelCallDecision> {
    const { turn } = this;
    let current = call;
    let decided: ModelCallDecision | undefined;
    await this.#row.ask(
      "beforeModelCall",
      turn.signal,
      (hooks) => hooks.beforeModelCall?.(turn, current),
      (decision: BeforeModelCall) => {
        switch (decision.action) {
          case "proceed":
            if (decision.request !== undefined) {
              current = { ...current, request: changedRequest(current.request, decision.request) };
            }
            return false;
          case "replace":
            decided = { action: "replace", answer: givenAnswer(decision.answer) };
            return true;
          case "deny":
            decided = { action: "deny", message: denialMessage(decision) };
            return true;
          default:
            throw unknownDecision(decision);
        }
      },
    );
    return decided ?? { action: "proceed", call: current };
  }

  async afterModelCall(call: ModelCall, answer: ModelAnswer): Promise<ModelAnswer> {
    const { turn } = this;
    let current = answer;
    await this.#row.ask(
      "afterModelCall",
      turn.signal,
      (hooks) => hooks.afterModelCall?.(turn, call, current),
      (decision: AfterModelCall) => {
        switch (decision.action) {
          case "proceed":
            return;
          case "replace":
            current = { ...current, ...givenAnswer(decision.answer) };
            return;
          default:
            throw unknownDecision(decision);
        }
      },
    );
    return current;
  }

  /** The messages of the next step. Rejects only when the tape cannot be read. */
  async context(tape: Tape): Promise<readonly ChatMessage[]> {
    const { turn } = this;
    let context: readonly ChatMessage[] | undefined;
    await this.#row.ask(
      "buildTapeContext",
      turn.signal,
      (hooks) => hooks.buildTapeContext?.(turn),
      async (choice: TapeContext) => {
        context = await chosenContext(tape, choice);
        return true;
      },
    );
    return context ?? await tape.context();
  }

  async saveState(result: TurnResult): Promise<void> {
    using end = endTime(this.turn.signal);
    await this.#row.ask(
      "saveState",
      end.limit,
      (hooks) => hooks.saveState?.(this.turn, result),
    );
  }
}

async function chosenContext(
  tape: Tape,
  { anchor, select }: TapeContext,
): Promise<readonly ChatMessage[]> {
  if (anchor !== null && typeof anchor !== "string") {
    throw unexpected('null, "last" or a name as "anchor"', anchor);
  }
  const messages = await tape.context(anchor, select);
  if (Array.isArray(messages)) return messages;
  throw unexpected('that "select" returns a list of messages', messages);
}

function checkedText(value: unknown): string {
  if (typeof value === "string") return value;
  throw unexpected("a text", value);
}

function checkedSections(value: unknown): readonly PromptSection[] {
  const right = Array.isArray(value) &&
    value.every((each) =>
      isJsonObject(each) && typeof each.name === "string" && typeof each.text === "string"
    );
  if (right) return value;
  throw unexpected("a text or a list of sections {name, text}", value);
}

function unknownDecision(decision: unknown): TypeError {
  return unexpected("a decision with a known action", decision);
}
