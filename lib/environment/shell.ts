import { alarm } from "../alarm.ts";
import type { OutputSlice, Shell, ShellStatus } from "./environment.ts";
import type { SpawnedProcess } from "./launcher.ts";
import type { OutputFile } from "./output_file.ts";
import type { ProcessGroup } from "./process_group.ts";

/** How long, in milliseconds, a shell's children may go on printing before the result is taken. */
const DRAIN_MS = 100;
/** Milliseconds between TERM and KILL. */
const KILL_GRACE_MS = 3_000;
/** Milliseconds between two looks at the output of a shell that is followed. */
const FOLLOW_MS = 30;
/** A shell that printed more is ended before the disk is full. */
const MAX_OUTPUT_BYTES = 8 * 2 ** 30;
/** Milliseconds between two looks at how much that is. */
const SIZE_LOOK_MS = 250;

export interface HostShellParts {
  readonly id: string;
  readonly command: string;
  readonly status: SpawnedProcess["status"];
  readonly group: ProcessGroup;
  readonly output: OutputFile;
}

/** A shell on this host; its output goes to a file without passing through this process. */
export class HostShell implements Shell {
  readonly id: string;
  readonly command: string;
  readonly ended: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #output: OutputFile;
  #status: ShellStatus = "running";
  #exitCode: number | null = null;
  #killed = false;

  constructor({ id, command, status, group, output }: HostShellParts) {
    this.id = id;
    this.command = command;
    this.#group = group;
    this.#output = output;
    this.ended = this.#watch(status);
    void this.#limitOutput();
  }

  get status(): ShellStatus {
    return this.#status;
  }

  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** Whether nothing that it started runs any more, as far as was seen. */
  get allEnded(): boolean {
    return this.#group.ended;
  }

  outputBytes(): Promise<number> {
    return this.#output.size();
  }

  output(offset: number, limit: number | null): Promise<OutputSlice> {
    return this.#output.slice(offset, limit, this.#final);
  }

  tail(limit: number): Promise<string> {
    return this.#output.tail(limit, this.#final);
  }

  follow(): AsyncIterable<string> {
    return this.#output.follow(() => this.#final, () => this.#endedWithin(FOLLOW_MS));
  }

  async kill(graceMs: number = KILL_GRACE_MS): Promise<void> {
    if (!this.#group.leaderEnded) this.#killed = true;
    await this.#group.end(graceMs);
    // A leader that not even KILL ends (it hangs in the kernel) is not waited for.
    if (this.#group.leaderEnded) await this.ended;
  }

  /** Drops the output, which then reads as empty. */
  async discard(): Promise<void> {
    await this.#output.discard();
  }

  /** Whether a character cut at the end of the output stays cut. */
  get #final(): boolean {
    return this.#status !== "running";
  }

  /** Nothing else would stop a command that prints for ever from filling the disk. */
  async #limitOutput(): Promise<void> {
    for (;;) {
      await this.#endedWithin(SIZE_LOOK_MS);
      if (this.#final) return;
      if (await this.outputBytes() <= MAX_OUTPUT_BYTES) continue;
      await this.kill(0);
      this.#output.note("\n[ended by bub: more than 8 GiB of output]");
    }
  }

  /** Resolves when the shell has ended, or `ms` milliseconds have passed. */
  async #endedWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _alarm = alarm(ms, resolve);
    await Promise.race([this.ended, promise]);
  }

  /**
   * The shell's own end is what counts: children that it leaves in the background get a moment to
   * finish printing (`>(…)`, pipelines), then they hold nothing back.
   */
  async #watch(status: SpawnedProcess["status"]): Promise<void> {
    const code = await exitCode(status);
    this.#group.reportLeaderEnd();
    await this.#group.emptied(DRAIN_MS);
    this.#exitCode = code;
    this.#status = this.#killed ? "killed" : "exited";
  }
}

/** 128 + N for signal N, also for those that Deno has no name for: it throws their number. */
async function exitCode(status: SpawnedProcess["status"]): Promise<number> {
  try {
    return (await status).code;
  } catch (error) {
    const signal = error instanceof TypeError ? /\d+$/.exec(error.message)?.[0] : undefined;
    return 128 + Number(signal ?? 0);
  }
}
