import {
  type Budget,
  median,
  type Row,
  type Sample,
  summarize,
} from "../../../scripts/bench/row.ts";
import { assertEquals } from "../../assert.ts";

function row(budget?: Budget): Row {
  const open = () => Promise.resolve(null);
  const named = {
    name: "start",
    what: "a start",
    unit: "ms",
    warmUps: 0,
    rounds: 3,
    open,
  } as const;
  return budget === undefined ? named : { ...named, budget };
}

/** Whether samples meet a budget. */
function met(budget: Budget | undefined, ...samples: Sample[]): boolean | null {
  return summarize(row(budget), samples).met;
}

Deno.test("median() takes the middle of numbers in any order", () => {
  assertEquals([[3], [9, 1, 5], [4, 2, 3, 1]].map(median), [3, 5, 2]);
  assertEquals(median([]), NaN);
});

Deno.test("summarize() gives median, least and most, and the median of the floors", () => {
  const samples = [{ value: 10, floor: 2 }, { value: 30, floor: 3 }, { value: 20, floor: 1 }];
  assertEquals(summarize(row({ atMost: 20 }), samples), {
    name: "start",
    what: "a start",
    unit: "ms",
    rounds: 3,
    median: 20,
    min: 10,
    max: 30,
    floor: 2,
    budget: { atMost: 20 },
    met: true,
  });
  assertEquals(summarize(row(), [{ value: 1 }]).floor, null);
});

Deno.test("summarize() says whether the median meets the budget", () => {
  assertEquals(met(undefined, { value: 1 }), null);
  assertEquals([met({ atMost: 5 }, { value: 5 }), met({ atMost: 5 }, { value: 5.1 })], [
    true,
    false,
  ]);
  assertEquals([met({ atLeast: 5 }, { value: 5 }), met({ atLeast: 5 }, { value: 4 })], [
    true,
    false,
  ]);
  const twice = { timesFloor: 2 };
  assertEquals(met(twice, { value: 20, floor: 10 }), true);
  assertEquals(met(twice, { value: 21, floor: 10 }), false);
  assertEquals(met(twice, { value: 1 }), false, "without a floor nothing is shown");
});
