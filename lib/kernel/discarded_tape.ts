import type { UserMessage } from "../model/model.ts";
import { readEntries } from "../subagent/result_inbox.ts";
import { forkTape } from "../tape/fork.ts";
import { ForkMediaStore } from "../tape/fork_media_store.ts";
import type { MediaStore } from "../tape/media.ts";
import { MemoryTapeStore } from "../tape/memory_store.ts";
import type { TapeInfo } from "../tape/store.ts";
import { Tape } from "../tape/tape.ts";
import { MediaKeeper } from "./media_keeper.ts";
import { recordPrompts } from "./recorded_prompts.ts";
import { readSession } from "./session_settings.ts";

/**
 * A tape `name` that leaves nothing behind (A3): an empty one, or a fork of the parent's as it is now,
 * with the prompts of the running step, which are not on it yet.
 */
export async function discardedTape(
  kind: string,
  parent: Tape,
  { name, prompts }: { readonly name: string; readonly prompts: readonly UserMessage[] },
): Promise<Tape> {
  if (kind === "temp") return new Tape(new MemoryTapeStore(), name);
  const fork = await forkTape(parent);
  const tape = new ForkedTape(fork.tape, new ForkMediaStore(parent.media), name);
  // What waits for the parent stays with the parent.
  const { unread } = await readSession(tape);
  using keeper = new MediaKeeper({ tape, emit: () => {} });
  const said = await recordPrompts(prompts, {}, keeper);
  await tape.append(...said, ...readEntries(unread.map(({ id }) => id)));
  return tape;
}

/** A fork, whose store knows it by the name of its origin. */
class ForkedTape extends Tape {
  readonly #shown: string;

  constructor({ store, name }: Tape, media: MediaStore, shown: string) {
    super(store, name, media);
    this.#shown = shown;
  }

  override async info(): Promise<TapeInfo> {
    return { ...await super.info(), name: this.#shown };
  }
}
