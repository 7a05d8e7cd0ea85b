import { BubError } from "../errors.ts";
import type { CodeSandbox, SandboxOutcome, SandboxRun } from "./sandbox.ts";

/** A sandbox that is loaded when it is first used. */
export class LazySandbox implements CodeSandbox {
  readonly #load: () => Promise<CodeSandbox>;
  #loaded: Promise<CodeSandbox> | undefined;
  #closed = false;

  constructor(load: () => Promise<CodeSandbox>) {
    this.#load = load;
  }

  prepare(): void {
    // A run that needs it meets the same failure, and tells of it.
    this.#sandbox().then((sandbox) => sandbox.prepare()).catch(() => {});
  }

  async run(run: SandboxRun): Promise<SandboxOutcome> {
    return await (await this.#sandbox()).run(run);
  }

  async close(): Promise<void> {
    this.#closed = true;
    // What could not be loaded runs nothing.
    const sandbox = await this.#loaded?.catch(() => undefined);
    await sandbox?.close();
  }

  async #sandbox(): Promise<CodeSandbox> {
    if (this.#closed) throw new BubError("interrupted", "the program ends and runs no more code");
    return await (this.#loaded ??= this.#load());
  }
}
