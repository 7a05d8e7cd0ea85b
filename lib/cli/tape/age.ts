import { usage } from "../args.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds of an age such as `30d`, the value of the flag `flag`. Throws `config`. */
export function parseAge(text: string, flag: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS_MS[unit as keyof typeof UNITS_MS] ?? NaN);
  if (Number.isFinite(ms)) return ms;
  throw usage(
    `${flag} must be a number with m, h, d or w (minutes, hours, days, weeks), such as 30d, not "${text}"`,
  );
}
