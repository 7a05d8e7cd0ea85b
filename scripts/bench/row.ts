import type { Bench } from "./bench.ts";

/** One measurement; `floor` is what the same thing costs without bub, taken right beside it. */
export interface Sample {
  readonly value: number;
  readonly floor?: number;
}

/** What a row promises. `timesFloor` counts against the floor of the same run. */
export type Budget =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly timesFloor: number };

/** One line of the bench. */
export interface Row {
  /** As `--only` takes it. */
  readonly name: string;
  readonly what: string;
  readonly unit: "µs" | "ms" | "s" | "MiB" | "bytes" | "/s";
  /** None for what is only there to be known, or to compare with. */
  readonly budget?: Budget;
  /** Samples that are thrown away first: Deno's code cache is filled by the second start. */
  readonly warmUps: number;
  /** Samples that count; odd, so that the median is one of them. `--rounds` lowers or raises it. */
  readonly rounds: number;
  /** The most rounds that `--rounds` can ask for. @default {Infinity} */
  readonly maxRounds?: number;
  /**
   * Prepares the row and returns what takes one sample; null where this machine cannot. What must
   * be released goes to `bench.resources`.
   */
  readonly open: (bench: Bench) => Promise<(() => Promise<Sample>) | null>;
}

/** What came of a row. */
export interface Measured {
  readonly name: string;
  readonly what: string;
  readonly unit: Row["unit"];
  readonly rounds: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Median of the floors, null where there is none. */
  readonly floor: number | null;
  readonly budget: Budget | null;
  /** Null without a budget. */
  readonly met: boolean | null;
}

/** Sums a row's samples up. */
export function summarize(
  { name, what, unit, budget }: Row,
  samples: readonly Sample[],
): Measured {
  const values = samples.map(({ value }) => value).sort((a, b) => a - b);
  const floors = samples.flatMap(({ floor }) => floor ?? []);
  const middle = median(values);
  const floor = floors.length === 0 ? null : median(floors);
  return {
    name,
    what,
    unit,
    rounds: values.length,
    median: middle,
    min: values.at(0) ?? NaN,
    max: values.at(-1) ?? NaN,
    floor,
    budget: budget ?? null,
    met: budget === undefined ? null : isMet(budget, middle, floor),
  };
}

/** The middle value; of an even number the lower of the two. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}

function isMet(budget: Budget, value: number, floor: number | null): boolean {
  if ("atMost" in budget) return value <= budget.atMost;
  if ("atLeast" in budget) return value >= budget.atLeast;
  return floor !== null && value <= budget.timesFloor * floor;
}
