import { join } from "@std/path";
import type { Settings } from "../../config/settings.ts";
import { BubError, toBubError } from "../../errors.ts";
import { FileMediaStore } from "../../tape/file_media_store.ts";
import { FileTapeStore } from "../../tape/file_store.ts";
import { isSidecar, tapeName } from "../../tape/name.ts";
import type { TapeStore, TapeSummary } from "../../tape/store.ts";
import { Tape } from "../../tape/tape.ts";
import { type FlagValues, usage } from "../args.ts";
import type { CommandContext } from "../command.ts";
import { commonFlags, configure } from "../configure.ts";
import type { COMMON_FLAGS } from "../flags.ts";
import { DEFAULT_SESSION } from "../open_agent.ts";

/** How many candidates an error names. */
const MAX_NAMED = 5;

/** The tapes and media of a home folder, as operators see them: without an agent or a session. */
export class TapeFolder implements Disposable {
  /** `<home>/tapes`: tapes of the file store, archives and the locks of running sessions. */
  readonly path: string;
  readonly store: TapeStore;
  readonly media: FileMediaStore;
  /** The store where tapes are files here; null: a plugin keeps them. */
  readonly files: FileTapeStore | null;
  readonly #workspace: string;

  constructor(
    home: string,
    workspace: string,
    provided: TapeStore | undefined,
    warn: (message: string) => void,
  ) {
    this.path = join(home, "tapes");
    this.media = new FileMediaStore(join(home, "media"));
    this.#workspace = workspace;
    const files = new FileTapeStore(this.path, {
      onDamage: ({ tape, offset, reason }) =>
        warn(`tape ${tape} has a damaged line at byte ${offset}, which is passed over: ${reason}`),
    });
    this.store = provided ?? files;
    this.files = provided === undefined ? files : null;
  }

  tape(name: string): Tape {
    return new Tape(this.store, name, this.media);
  }

  /** Size and last change of a tape; null when it is gone. */
  async summary(name: string): Promise<TapeSummary | null> {
    if (this.files === null) {
      return (await this.store.list()).find((tape) => tape.name === name) ?? null;
    }
    try {
      const { size, mtime } = await Deno.stat(join(this.path, `${name}.jsonl`));
      return { name, size, modified: mtime };
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return null;
      throw storageError(`tape ${name} cannot be read`, thrown);
    }
  }

  /** What a running session of the tape holds. */
  lockFile(name: string): string {
    return join(this.path, `${name}.lock`);
  }

  /** The name of a session's tape in the workspace, whether it is there or not. */
  nameOf(sessionId: string = DEFAULT_SESSION): string {
    return tapeName(this.#workspace, sessionId);
  }

  /** Whether a tape belongs to the workspace. */
  isHere(name: string): boolean {
    const [workspace] = this.nameOf().split("__", 1);
    return name.startsWith(`${workspace}__`);
  }

  /**
   * The tape that a word names, whole or by a beginning that no other one has; without a word that
   * of a session in the workspace. Throws `config` when there is none, or more than one.
   *
   * @param others Names that count although there is no such tape any more.
   */
  async select(
    word: string | undefined,
    sessionId: string | undefined,
    others: readonly string[] = [],
  ): Promise<string> {
    const tapes = await this.store.list();
    const named = [...new Set([...tapes.map(({ name }) => name), ...others])];
    if (word === undefined) return this.#ofSession(sessionId ?? DEFAULT_SESSION, named);
    if (sessionId !== undefined) {
      throw usage(`either ${word} or --session-id names the tape, not both`);
    }
    const wanted = word.replace(/\.jsonl$/, "");
    if (named.includes(wanted)) return wanted;
    const likely = named.filter((name) =>
      name.startsWith(wanted) && (!isSidecar(name) || isSidecar(wanted))
    ).sort();
    const [only, ...rest] = wanted === "" ? [] : likely;
    if (only === undefined) throw usage(`there is no tape "${word}"; bub tape list shows them`);
    if (rest.length === 0) return only;
    const shown = likely.slice(0, MAX_NAMED).join(", ");
    const more = likely.length > MAX_NAMED ? ", …" : "";
    throw usage(`"${word}" begins the names of ${likely.length} tapes: ${shown}${more}`);
  }

  [Symbol.dispose](): void {
    this.store.close();
  }

  #ofSession(sessionId: string, named: readonly string[]): string {
    const name = this.nameOf(sessionId);
    if (named.includes(name)) return name;
    throw usage(
      `session ${sessionId} of ${this.#workspace} has no tape; bub tape list shows those there are`,
    );
  }
}

// Named by a variable, so that Deno loads it with the first plugin and not before (see main.ts).
const PLUGGED = "../../plugin/plugged.ts";

/**
 * Opens the tapes of the home folder, in the store of a plugin where one provides it. Throws
 * `config`, also when there can be no such folder.
 */
export async function openTapeFolder(
  flags: FlagValues<typeof COMMON_FLAGS>,
  context: CommandContext,
): Promise<TapeFolder> {
  using configuration = await configure(commonFlags(flags), context, { saves: false });
  const { settings, homeProblem } = configuration;
  const { home, workspace } = settings;
  if (home === undefined) throw usage(homeProblem ?? "there is no home folder");
  const warn = (message: string) => void context.console.complain(message, "yellow");
  return new TapeFolder(home, workspace, await providedStore(settings, context, warn), warn);
}

async function providedStore(
  { plugins: files, home, workspace }: Settings,
  { builtIn }: CommandContext,
  warn: (message: string) => void,
): Promise<TapeStore | undefined> {
  if (files.length === 0) return undefined;
  const { plugIn }: typeof import("../../plugin/plugged.ts") = await import(PLUGGED);
  const { builtinTools: tools } = await builtIn();
  return (await plugIn({ files, home, workspace, tools, warn })).store;
}

/** What goes wrong with files here, as one sentence. */
export function storageError(failure: string, thrown: unknown): BubError {
  const { kind, message } = toBubError(thrown, "storage");
  return new BubError(kind, `${failure}: ${message}`, { cause: thrown });
}
