import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { TapeEntry } from "./entry.ts";
import type { TapeInfo, TapeStore } from "./store.ts";

/** What there is to know of a tape of any store; all zero and null for an unknown one (TP6). */
export async function tapeInfo(store: TapeStore, tape: string): Promise<TapeInfo> {
  if (store.info !== undefined) return await store.info(tape);
  const tally = new InfoTally();
  for await (const entry of store.read(tape, "oldest")) tally.add(entry);
  return tally.info(tape);
}

/** Sums up the entries of a tape, the oldest first. */
export class InfoTally {
  #entries = 0;
  #anchors = 0;
  #lastAnchor: string | null = null;
  #sinceAnchor = 0;
  #usage: JsonObject | null = null;

  add({ kind, payload }: TapeEntry): void {
    this.count();
    if (kind === "anchor") {
      this.#anchors++;
      this.#lastAnchor = typeof payload.name === "string" ? payload.name : "";
      this.#sinceAnchor = 0;
    } else if (kind === "event" && payload.name === "run") {
      this.#usage = usageOf(payload) ?? this.#usage;
    }
  }

  /** Adds an entry that is known to be neither an anchor nor a `run` event. */
  count(): void {
    this.#entries++;
    this.#sinceAnchor++;
  }

  info(name: string): TapeInfo {
    return {
      name,
      entries: this.#entries,
      anchors: this.#anchors,
      last_anchor: this.#lastAnchor,
      entries_since_last_anchor: this.#sinceAnchor,
      last_token_usage: numberOrNull(this.#usage?.total_tokens),
      last_token_cache_hit_rate: cacheHitRate(this.#usage),
    };
  }
}

/** The usage of a model call; null when the provider sent none. */
function usageOf({ data }: JsonObject): JsonObject | null {
  const usage = isJsonObject(data) ? data.usage : undefined;
  return isJsonObject(usage) && numberOrNull(usage.total_tokens) !== null ? usage : null;
}

function cacheHitRate(usage: JsonObject | null): number | null {
  const details = usage?.prompt_tokens_details;
  const cached = isJsonObject(details) ? numberOrNull(details.cached_tokens) : null;
  const prompt = numberOrNull(usage?.prompt_tokens);
  if (cached === null || prompt === null || prompt <= 0) return null;
  return Math.min(1, Math.max(0, cached / prompt));
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}
