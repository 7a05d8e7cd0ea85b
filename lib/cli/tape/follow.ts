import { alarm } from "../../alarm.ts";
import type { TapeEntry } from "../../tape/entry.ts";
import { formatLine } from "../../tape/line.ts";
import type { Tape } from "../../tape/tape.ts";

/** Milliseconds between two looks. Looking costs one call; being told is not the same everywhere. */
const PAUSE_MS = 100;

/** What has been appended since the last look. */
export interface Growth {
  readonly entries: readonly TapeEntry[];
  /** What was there before is there no more: the tape was reset, or removed and begun again. */
  readonly restarted: boolean;
}

/**
 * Waits for entries behind `seen`, the last one known (null: none), again and again until `signal`
 * is aborted. `state` tells cheaply whether anything has changed: what does not is not read.
 */
export async function* follow(
  tape: Tape,
  state: () => Promise<unknown>,
  seen: TapeEntry | null,
  signal: AbortSignal,
): AsyncGenerator<Growth, void, void> {
  let known: string | undefined;
  for (; !signal.aborted; await pause(signal)) {
    const now = JSON.stringify(await state());
    if (now === known) continue;
    // Noted before reading: what comes in between is found at the next look.
    known = now;
    const growth = await growthSince(tape, seen);
    seen = growth.entries.at(-1) ?? seen;
    if (growth.entries.length > 0) yield growth;
  }
}

async function growthSince(tape: Tape, seen: TapeEntry | null): Promise<Growth> {
  const entries: TapeEntry[] = [];
  let restarted = seen !== null;
  for await (const entry of tape.read("newest")) {
    if (restarted && entry.id === seen?.id && formatLine(entry) === formatLine(seen)) {
      restarted = false;
      break;
    }
    entries.push(entry);
  }
  return { entries: entries.reverse(), restarted };
}

async function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  using _alarm = alarm(PAUSE_MS, wake);
  signal.addEventListener("abort", wake, { once: true });
  await promise;
  signal.removeEventListener("abort", wake);
}
