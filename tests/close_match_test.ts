import { alternatives, closeMatches, editDistance } from "../lib/close_match.ts";
import { assertEquals } from "./assert.ts";

Deno.test("T1 editDistance() counts letters added, dropped, changed and neighbours swapped", () => {
  const cases: [a: string, b: string, distance: number][] = [
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["help", "help", 0],
    ["hlp", "help", 1],
    ["hellp", "help", 1],
    ["halp", "help", 1],
    ["hlep", "help", 1],
    ["kitten", "sitting", 3],
    ["fs.raed", "fs.read", 1],
  ];
  for (const [a, b, distance] of cases) assertEquals(editDistance(a, b), distance, `${a} ${b}`);
});

Deno.test("T1 closeMatches() gives the nearest three, none that are far", () => {
  assertEquals(closeMatches("PAHT", ["path", "offset", "limit"]), ["path"]);
  assertEquals(closeMatches("x", ["path", "a"]), ["a"]);
  assertEquals(closeMatches("recursive", ["path", "offset"]), []);
  assertEquals(closeMatches("abcd", ["abcx", "abcd", "abxd", "axcd", "xbcd"]), [
    "abcd",
    "abcx",
    "abxd",
  ]);
});

Deno.test("T1 alternatives() reads as a list of choices", () => {
  assertEquals([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(alternatives), [
    "",
    "a",
    "a or b",
    "a, b or c",
  ]);
});
