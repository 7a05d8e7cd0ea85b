import { durationSeconds, retryAfterSeconds } from "../../lib/model/retry_after.ts";
import { assertEquals } from "../assert.ts";

const NOW = Date.parse("2026-10-21T07:28:00Z");

function seconds(headers: Record<string, string>): number | undefined {
  return retryAfterSeconds(new Headers(headers), NOW);
}

Deno.test("M3 B33 retryAfterSeconds() reads seconds, milliseconds and dates", () => {
  assertEquals(seconds({}), undefined);
  assertEquals(seconds({ "retry-after": "2" }), 2);
  assertEquals(seconds({ "retry-after": "1e9" }), 1e9);
  assertEquals(seconds({ "retry-after-ms": "1500", "retry-after": "9" }), 1.5);
  assertEquals(seconds({ "retry-after-ms": "abc", "retry-after": "9" }), 9);
  assertEquals(seconds({ "retry-after": "Wed, 21 Oct 2026 07:28:03 GMT" }), 3);
  assertEquals(seconds({ "retry-after": "Wed, 21 Oct 2026 07:00:00 GMT" }), 0);
});

Deno.test("M3 B33 retryAfterSeconds() takes garbage, zero and negative numbers for nothing", () => {
  for (const value of ["0", "-5", "abc", "", " ", "NaN", "Infinity", "Wednesday, at noon"]) {
    assertEquals(seconds({ "retry-after": value }), undefined, value);
  }
});

Deno.test("M3 durationSeconds() reads Google's durations", () => {
  assertEquals(["33s", "0.5s", "0s", "x", 3, undefined].map(durationSeconds), [
    33,
    0.5,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
