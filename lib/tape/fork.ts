import { toBubError } from "../errors.ts";
import { ForkTapeStore } from "./fork_store.ts";
import { sidecarLabel } from "./name.ts";
import { sidecarFailure, sidecarsOf } from "./sidecar.ts";
import { Tape } from "./tape.ts";

/** A tape that goes its own way from a moment on, sidecars and all. Dropping it discards it. */
export interface TapeFork {
  readonly tape: Tape;
  /**
   * Appends what the fork has of its own to the tape it came from, and so for the sidecars. Throws
   * `storage`, having changed nothing, when that fails for the tape itself; a sidecar that fails is
   * left out, which an event on the tape says.
   */
  merge(): Promise<void>;
}

/** Forks a tape as it is now, with its sidecars. */
export async function forkTape({ store, name, media }: Tape): Promise<TapeFork> {
  const sidecars = (await sidecarsOf(store, name)).map((sidecar) => sidecar.name);
  const fork = await ForkTapeStore.open(store, [name, ...sidecars]);
  return {
    tape: new Tape(fork, name, media),
    async merge() {
      for (const changed of await fork.changed()) {
        try {
          await fork.merge(changed);
        } catch (thrown) {
          const label = sidecarLabel(changed);
          if (label === null) throw thrown;
          const reason = toBubError(thrown, "storage").message;
          await store.append(name, [sidecarFailure("merge", { sidecar: label, reason })]);
        }
      }
    },
  };
}
