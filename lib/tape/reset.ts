import { toBubError } from "../errors.ts";
import { SESSION_START } from "./entry.ts";
import { type SidecarFailure, sidecarFailure, sidecarsOf } from "./sidecar.ts";
import type { TapeStore } from "./store.ts";

export interface ResetOptions {
  /** Whether to keep what the tapes hold beside them first. */
  readonly archive: boolean;
}

export interface ResetReport {
  /** Names of the archives: that of the tape, then those of its sidecars. */
  readonly archives: readonly string[];
  /** Sidecars that are as they were, and why. */
  readonly kept: readonly SidecarFailure[];
}

/**
 * Empties a tape, which starts anew, and its sidecars (TP10). Throws `storage`, and has changed
 * nothing, when that fails for the tape itself; a sidecar that fails is kept as it is, which an
 * event on the new tape says.
 */
export async function resetTape(
  store: TapeStore,
  tape: string,
  { archive }: ResetOptions,
): Promise<ResetReport> {
  const sidecars = await sidecarsOf(store, tape);
  const archives = [await store.reset(tape, [SESSION_START], { archive })];
  const kept: SidecarFailure[] = [];
  for (const { label, name } of sidecars) {
    try {
      archives.push(await store.reset(name, [], { archive }));
    } catch (thrown) {
      kept.push({ sidecar: label, reason: toBubError(thrown, "storage").message });
    }
  }
  if (kept.length > 0) {
    await store.append(tape, kept.map((failure) => sidecarFailure("reset", failure)));
  }
  return { archives: archives.filter((name) => name !== null), kept };
}
