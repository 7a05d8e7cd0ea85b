import type { Settings } from "../config/settings.ts";
import { BubError } from "../errors.ts";
import { withFallback } from "./fallback.ts";
import type { Model } from "./model.ts";
import type { Recorder } from "./record.ts";
import { createModel, type ModelSettings } from "./resolve.ts";
import { withRetry } from "./retry.ts";

export interface ModelSourceOptions {
  /** Makes the models behind `replay:<file>`. */
  readonly replay: (file: string) => Model;
  /** Records every answer (`--record`). */
  readonly recorder: Recorder | undefined;
}

/**
 * The models of a process, each made once, with retries, the configured fallbacks and recording
 * around it: sessions share connections and what was learnt about a server.
 */
export class ModelSource {
  readonly #settings: ModelSettings & Pick<Settings, "fallbackModels" | "modelProblem">;
  readonly #options: ModelSourceOptions;
  readonly #single = new Map<string, Model>();
  readonly #whole = new Map<string, Model>();

  constructor(
    settings: ModelSettings & Pick<Settings, "fallbackModels" | "modelProblem">,
    options: ModelSourceOptions,
  ) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The model to ask for `id`. Throws `config` when there is none, or it cannot be reached. */
  model(id: string | undefined): Model {
    if (id === undefined) throw noModel(this.#settings);
    return once(this.#whole, id, () => {
      const { fallbackModels } = this.#settings;
      const single = this.#one(id);
      const whole = fallbackModels.length === 0
        ? single
        : withFallback([single, ...fallbackModels.map((other) => this.#one(other))]);
      return this.#options.recorder?.record(whole) ?? whole;
    });
  }

  #one(id: string): Model {
    const { replay } = this.#options;
    return once(this.#single, id, () => withRetry(createModel(id, this.#settings, { replay })));
  }
}

function noModel({ modelProblem }: Pick<Settings, "modelProblem">): BubError {
  const hint = modelProblem === undefined
    ? "set BUB_MODEL, --model or model in config.jsonc to provider:model, " +
      "such as anthropic:claude-sonnet-4-5"
    : `${modelProblem}, and --model does without`;
  return new BubError("config", `no model is chosen; ${hint}`);
}

function once(made: Map<string, Model>, id: string, make: () => Model): Model {
  const known = made.get(id);
  if (known !== undefined) return known;
  const model = make();
  made.set(id, model);
  return model;
}
