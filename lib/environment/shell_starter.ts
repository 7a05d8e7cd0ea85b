import { BubError } from "../errors.ts";
import { Launcher } from "./launcher.ts";
import { OutputFile } from "./output_file.ts";
import { ProcessGroup } from "./process_group.ts";
import { HostShell } from "./shell.ts";
import type { HostShellsOptions } from "./shells.ts";

export interface StartRequest {
  readonly id: string;
  readonly command: string;
  readonly cwd: string | undefined;
  /** Whether the session has ended meanwhile. */
  readonly isStopped: () => boolean;
}

/** Starts the shells of one session: what is loaded with the first of them. */
export class ShellStarter {
  readonly #launcher: Launcher;
  readonly #outputFolder: string;
  #hasOutput = false;

  constructor(options: HostShellsOptions) {
    this.#launcher = new Launcher(options);
    this.#outputFolder = options.outputFolder;
  }

  /** Starts a command; see `HostShells.start`. */
  async start({ id, command, cwd, isStopped }: StartRequest): Promise<HostShell> {
    const { program } = this.#launcher.shell;
    const output = await OutputFile.create(this.#outputFolder);
    this.#hasOutput = true;
    try {
      const { pid, status } = await this.#launcher.launch(command, cwd, output);
      const group = new ProcessGroup(pid, program);
      const shell = new HostShell({ id, command, status, group, output });
      if (!isStopped()) return shell;
      await shell.kill(0);
      throw new BubError("interrupted", "the session ended while the command was starting");
    } catch (error) {
      await output.discard();
      throw error;
    }
  }

  /** Removes what output of ended programs there is, if this program has made any itself. */
  async sweep(): Promise<void> {
    if (this.#hasOutput) await OutputFile.sweep(this.#outputFolder);
  }
}
