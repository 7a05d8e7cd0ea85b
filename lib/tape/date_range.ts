import { BubError } from "../errors.ts";

const DAY_MS = 86_400_000;
/** Below the finest date of a tape, in ms. */
const INSTANT_MS = 0.0005;

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-])(\d\d):?(\d\d)?)?)?$/i;

/** A moment, or a whole day, in ms since 1970; the microseconds of Python's dates are fractions. */
interface Moment {
  readonly first: number;
  readonly last: number;
}

/** Which entries a search looks at, by date; both ends are included. */
export class DateRange {
  readonly #first: number;
  readonly #last: number;

  /**
   * @param start ISO date, which covers its whole day, or time; without a zone UTC. Null: no bound.
   * @param end As `start`. Anything else throws `invalid_input`, and so does a start after it.
   */
  constructor(start: string | null, end: string | null) {
    this.#first = start === null ? -Infinity : checkedMoment("start", start).first;
    this.#last = end === null ? Infinity : checkedMoment("end", end).last;
    if (this.#first > this.#last) {
      throw new BubError(
        "invalid_input",
        `start must not be after end, got ${JSON.stringify(start)} and ${JSON.stringify(end)}`,
      );
    }
  }

  /** Whether an entry of this date is in it; one without a readable date only if there are no bounds. */
  covers(date: string): boolean {
    if (this.#first === -Infinity && this.#last === Infinity) return true;
    const moment = momentOf(date);
    return moment !== null && moment.first >= this.#first && moment.first <= this.#last;
  }
}

function checkedMoment(name: string, text: string): Moment {
  const moment = momentOf(text.trim());
  if (moment !== null) return moment;
  throw new BubError(
    "invalid_input",
    `${name} must be a date like 2026-12-31 or a time like 2026-12-31T23:59:00Z, got ${
      JSON.stringify(text)
    }`,
  );
}

function momentOf(text: string): Moment | null {
  const parts = MOMENT.exec(text);
  if (parts === null) return null;
  const [, day, clock = "00:00", seconds = "00", fraction = "0", , sign, hours, minutes] = parts;
  const written = `${day}T${clock}:${seconds}`;
  const whole = Date.parse(`${written}Z`);
  // JavaScript takes February 30th for a day in March.
  if (Number.isNaN(whole) || !new Date(whole).toISOString().startsWith(written)) return null;
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  const first = whole + Number(`0.${fraction}`) * 1000 - (sign === "-" ? -1 : 1) * offset * 60_000;
  return { first, last: parts[2] === undefined ? first + DAY_MS - INSTANT_MS : first };
}
