import type { Measured } from "../../../scripts/bench/row.ts";
import { formatTable } from "../../../scripts/bench/table.ts";
import { assertEquals } from "../../assert.ts";

const BASE = { what: "what it is", rounds: 3, max: 9, floor: null, budget: null, met: null };

Deno.test("formatTable() shows each row beside its floor and budget", () => {
  const measured: Measured[] = [
    {
      ...BASE,
      name: "start",
      unit: "ms",
      median: 81.26,
      min: 7.123,
      floor: 20,
      budget: { atMost: 80 },
      met: false,
    },
    {
      ...BASE,
      name: "tape",
      unit: "/s",
      median: 98_549.4,
      min: 95_000,
      budget: { atLeast: 60_000 },
      met: true,
    },
    { ...BASE, name: "peer", unit: "s", median: 0.5, min: 0.25 },
  ];
  assertEquals(
    formatTable(measured).split("\n"),
    [
      "row                 median      min  floor  ratio      budget  met",
      "start: what it is  81.3 ms  7.12 ms  20 ms  4.06x    <= 80 ms   NO",
      "tape: what it is   98549/s  95000/s                >= 60000/s  yes",
      "peer: what it is    0.50 s   0.25 s",
      "",
    ],
  );
});
