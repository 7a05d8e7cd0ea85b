import {
  argumentSummary,
  duration,
  failureSummary,
  oneLine,
} from "../../../lib/cli/render/summary.ts";
import { assertEquals } from "../../assert.ts";

Deno.test("argumentSummary() shows names and values on one line of bounded length", () => {
  assertEquals(argumentSummary({ path: "a.txt", limit: 3 }), "path=a.txt limit=3");
  assertEquals(argumentSummary({ command: "echo a\nb" }), 'command="echo a\\nb"');
  assertEquals(argumentSummary("not an object"), '"not an object"');
  assertEquals(Array.from(argumentSummary({ a: "🙂".repeat(200) })).length, 100);
});

Deno.test("failureSummary() shows the message of a report, or the text itself", () => {
  assertEquals(failureSummary('{"kind":"tool","message":"exit\\n1"}'), "exit 1");
  assertEquals(failureSummary("plain"), "plain");
});

Deno.test("oneLine() never splits a character", () => {
  assertEquals(oneLine("🙂🙂🙂", 2), "🙂…");
  assertEquals(oneLine(" a \n b ", 10), "a b");
});

Deno.test("duration() picks the unit", () => {
  assertEquals([12.4, 1234, 200_000].map(duration), ["12 ms", "1.2 s", "3 min 20 s"]);
});
