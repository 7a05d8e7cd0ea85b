import { join } from "@std/path";
import type { EntryDraft } from "../../../lib/tape/entry.ts";
import { FileTapeStore } from "../../../lib/tape/file_store.ts";
import { tapeName } from "../../../lib/tape/name.ts";
import { Tape } from "../../../lib/tape/tape.ts";
import { bub, bubCommand, bubEnv, type Outcome, spawnBub, type SpawnOptions } from "../spawn.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

/** What a terminal showed. */
export interface Screen {
  readonly code: number;
  readonly text: string;
}

/** A home folder with tapes that tests put there, and the program to look at them. */
export class TapeHome implements AsyncDisposable {
  readonly store: FileTapeStore;
  readonly #bench: Workbench;

  private constructor(bench: Workbench) {
    this.#bench = bench;
    this.store = new FileTapeStore(this.tapes);
  }

  static async open(): Promise<TapeHome> {
    return new TapeHome(await openWorkbench());
  }

  get bench(): Workbench {
    return this.#bench;
  }

  get home(): string {
    return join(this.#bench.root, "home");
  }

  get tapes(): string {
    return join(this.home, "tapes");
  }

  get media(): string {
    return join(this.home, "media");
  }

  /** The name of a session's tape in the workspace. */
  name(sessionId = "cli:local"): string {
    return tapeName(this.#bench.workspace, sessionId);
  }

  /** Appends to a tape as a session would. */
  async append(tape: string, ...drafts: readonly EntryDraft[]): Promise<void> {
    await new Tape(this.store, tape).append(...drafts);
  }

  /** Makes a tape look as if it had last been written `hours` ago. */
  async age(tape: string, hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * 3_600_000);
    await Deno.utime(join(this.tapes, `${tape}.jsonl`), then, then);
  }

  /** The names of the files in a folder, sorted, without those that only lock. */
  async files(folder: string): Promise<readonly string[]> {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return names.filter((name) => !name.endsWith(".lock")).sort();
  }

  run(...args: readonly string[]): Promise<Outcome> {
    return bub(["tape", ...args], this.#options);
  }

  start(...args: readonly string[]): Promise<Deno.ChildProcess> {
    return spawnBub(["tape", ...args], this.#options);
  }

  /** Runs the program with its standard output sent to a file. */
  redirected(file: string, ...args: readonly string[]): Promise<Outcome> {
    return this.#shell(`exec "$0" "$@" > ${file}`, args);
  }

  /** Runs the program where no file can grow beyond some KiB. */
  limited(kibibytes: number, ...args: readonly string[]): Promise<Outcome> {
    // With the signal ignored a write past the limit just fails.
    return this.#shell(`trap "" XFSZ; ulimit -f ${kibibytes}; exec "$0" "$@"`, args);
  }

  /** Runs the program on a terminal of its own where `keys` are typed; all that it shows. */
  async onTerminal(args: readonly string[], keys = ""): Promise<Screen> {
    const words = await bubCommand(["tape", ...args]);
    const line = words.map((word) => `'${word}'`).join(" ");
    // `script` makes the terminal and passes the exit code on.
    const child = new Deno.Command("script", {
      args: ["-qefc", line, "/dev/null"],
      ...await this.#surroundings({ TERM: "xterm", SHELL: "/bin/sh" }),
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(keys));
    // Its input stays open: the end of it would be an answer too.
    const { code, stdout } = await child.output();
    await writer.close().catch(() => undefined);
    return { code, text: new TextDecoder().decode(stdout).replaceAll("\r\n", "\n") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.store.close();
    await this.#bench[Symbol.asyncDispose]();
  }

  async #shell(line: string, args: readonly string[]): Promise<Outcome> {
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-c", line, ...await bubCommand(["tape", ...args])],
      ...await this.#surroundings(),
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async #surroundings(more: Readonly<Record<string, string>> = {}) {
    const env = await bubEnv({ ...this.#bench.env, ...more });
    return { clearEnv: true, env, cwd: this.#bench.workspace };
  }

  get #options(): SpawnOptions {
    return { env: this.#bench.env, cwd: this.#bench.workspace };
  }
}
