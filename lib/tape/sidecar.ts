import { type EntryDraft, eventEntry } from "./entry.ts";
import { mainTape, sidecarLabel } from "./name.ts";
import type { TapeStore } from "./store.ts";

/** A sidecar that there is. */
export interface SidecarTape {
  /** What it is called beside its main tape, such as `spill`. */
  readonly label: string;
  /** The name of its own tape. */
  readonly name: string;
}

/** The sidecars that a tape has in its store, by label. */
export async function sidecarsOf(store: TapeStore, tape: string): Promise<readonly SidecarTape[]> {
  return (await store.list())
    .flatMap(({ name }) => {
      const label = sidecarLabel(name);
      return label !== null && mainTape(name) === tape ? [{ label, name }] : [];
    })
    .sort((a, b) => a.label < b.label ? -1 : 1);
}

/** Why a sidecar did not follow its main tape. */
export interface SidecarFailure {
  readonly sidecar: string;
  readonly reason: string;
}

/** What the main tape is told of it: the main tape itself goes on. */
export function sidecarFailure(
  operation: "reset" | "merge",
  { sidecar, reason }: SidecarFailure,
): EntryDraft {
  return eventEntry("sidecar.error", { sidecar, operation, message: reason });
}
