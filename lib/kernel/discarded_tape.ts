import type { JsonObject } from "../json.ts";
import type { UserMessage } from "../model/model.ts";
import { readEntries } from "../subagent/result_inbox.ts";
import { messageEntry } from "../tape/entry.ts";
import { forkTape } from "../tape/fork.ts";
import { ForkMediaStore } from "../tape/fork_media_store.ts";
import { MemoryTapeStore } from "../tape/memory_store.ts";
import { Tape } from "../tape/tape.ts";
import { readSession } from "./session_settings.ts";

/**
 * A tape that leaves nothing behind (A3): an empty one, or a fork of the parent's as it is now,
 * with the prompts of the running step, which are not on it yet.
 */
export async function discardedTape(
  kind: string,
  parent: Tape,
  prompts: readonly UserMessage[],
): Promise<Tape> {
  if (kind === "temp") return new Tape(new MemoryTapeStore(), parent.name);
  const { tape: { store, name } } = await forkTape(parent);
  const tape = new Tape(store, name, new ForkMediaStore(parent.media));
  // What waits for the parent stays with the parent.
  const { unread } = await readSession(tape);
  const said = prompts.map((message) => messageEntry({ ...message } as unknown as JsonObject));
  await tape.append(...said, ...readEntries(unread.map(({ id }) => id)));
  return tape;
}
