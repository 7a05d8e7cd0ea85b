import { BubError } from "../errors.ts";
import type { ShellOptions, Shells } from "./environment.ts";
import type { LauncherOptions } from "./launcher.ts";
import type { HostShell } from "./shell.ts";
import type { ShellStarter } from "./shell_starter.ts";

// Named by a variable, so that Deno loads it with the first shell and not before (see main.ts).
const STARTER = "./shell_starter.ts";

/** Milliseconds between TERM and KILL when a session ends. */
const STOP_GRACE_MS = 1_000;

export interface HostShellsOptions extends LauncherOptions {
  /** Where output is kept while the session lasts: absolute, made when first needed. */
  readonly outputFolder: string;
}

/** The shells of one session on this host. */
export class HostShells implements Shells {
  readonly #options: HostShellsOptions;
  readonly #shells = new Map<string, HostShell>();
  /** Counts the calls of `stopAll()`, so that a start under way notices one. */
  #stops = 0;
  readonly #starting = new Set<Promise<unknown>>();
  #starter: Promise<ShellStarter> | undefined;

  constructor(options: HostShellsOptions) {
    this.#options = options;
  }

  /**
   * Starts `command`. Throws `invalid_input` for what no shell can take, `not_found` for a `cwd`
   * that is no folder, `permission`, `storage` when its output cannot be kept, else `tool`.
   */
  async start(command: string, options: ShellOptions = {}): Promise<HostShell> {
    const starting = this.#start(command, options);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #start(command: string, { cwd }: ShellOptions): Promise<HostShell> {
    const nul = command.indexOf("\0");
    if (nul !== -1) {
      throw new BubError(
        "invalid_input",
        `command holds a NUL character at ${nul}, which no shell can take`,
      );
    }
    const stops = this.#stops;
    const starter = await (this.#starter ??= this.#load());
    const isStopped = () => stops !== this.#stops;
    const shell = await starter.start({ id: this.#newId(), command, cwd, isStopped });
    this.#shells.set(shell.id, shell);
    return shell;
  }

  get(id: string): HostShell {
    const shell = this.#shells.get(id);
    if (shell !== undefined) return shell;
    const known = [...this.#shells.keys()].join(", ");
    const hint = known === "" ? "there are none" : `there are ${known}`;
    throw new BubError("not_found", `no shell has the id ${id}; ${hint}`);
  }

  list(): readonly HostShell[] {
    return [...this.#shells.values()];
  }

  async release(id: string): Promise<void> {
    const shell = this.#shells.get(id);
    if (shell === undefined || !shell.allEnded) return;
    this.#shells.delete(id);
    await shell.discard();
  }

  async stopAll(graceMs: number = STOP_GRACE_MS): Promise<void> {
    this.#stops++;
    const shells = this.list();
    await Promise.all(shells.map((shell) => shell.kill(graceMs)));
    for (const shell of shells) this.#shells.delete(shell.id);
    await Promise.all(shells.map((shell) => shell.discard()));
    // They see that they came too late, and end what they have started.
    await Promise.allSettled(this.#starting);
    const starter = await this.#starter;
    this.#starter = undefined;
    await starter?.sweep();
  }

  async #load(): Promise<ShellStarter> {
    const { ShellStarter }: typeof import("./shell_starter.ts") = await import(STARTER);
    return new ShellStarter(this.#options);
  }

  #newId(): string {
    const id = `sh-${crypto.randomUUID().slice(0, 8)}`;
    return this.#shells.has(id) ? this.#newId() : id;
  }
}
