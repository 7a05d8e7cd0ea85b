import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { DateRange } from "../../lib/tape/date_range.ts";
import { BubError } from "../../lib/errors.ts";

const covers = (start: string | null, end: string | null, date: string) =>
  new DateRange(start, end).covers(date);

Deno.test("TP7 a date covers its whole day in UTC, at both ends", () => {
  for (const date of ["2026-12-01T00:00:00+00:00", "2026-12-01T23:59:59.999999+00:00"]) {
    assert(covers("2026-12-01", "2026-12-01", date), date);
  }
  for (const date of ["2026-11-30T23:59:59.999999+00:00", "2026-12-02T00:00:00+00:00"]) {
    assert(!covers("2026-12-01", "2026-12-01", date), date);
  }
  assert(covers("2026-12-01", null, "2027-01-01T00:00:00Z"));
  assert(covers(null, "2026-12-01", "1999-01-01T00:00:00Z"));
});

Deno.test("TP7 a time is included itself, to the microsecond, and without a zone is in UTC", () => {
  const date = "2026-12-01T03:56:02.761650+00:00";
  for (
    const time of ["2026-12-01T03:56:02.761650", "2026-12-01 03:56:02,76165Z", date] as const
  ) assert(covers(time, time, date), time);
  assert(!covers("2026-12-01T03:56:02.761651Z", null, date));
  assert(!covers(null, "2026-12-01T03:56:02.761649Z", date));
  assert(covers("2026-12-01T03:56", null, date));
  assert(!covers(null, "2026-12-01T03:56", date));
  assert(covers("2026-12-01T05:56:02+02:00", "2026-11-30T22:56:03-0500", date));
});

Deno.test("TP7 what is no date or time is an error that names it", () => {
  for (
    const text of [
      "yesterday",
      "",
      "2026",
      "2026-02-30",
      "2026-13-01",
      "2026-12-01T24:00",
      "2026-12-01T10",
      "2026-12-01T10:00:61",
      "01.12.2026",
      "1764561362",
    ]
  ) {
    for (const [start, end, name] of [[text, null, "start"], [null, text, "end"]] as const) {
      const error = assertThrows(() => new DateRange(start, end), BubError, JSON.stringify(text));
      assertEquals(error.kind, "invalid_input");
      assertStringIncludes(error.message, name);
    }
  }
});

Deno.test("TP7 an entry without a readable date is found only without bounds", () => {
  assert(covers(null, null, ""));
  assert(!covers("2000-01-01", null, ""));
});
