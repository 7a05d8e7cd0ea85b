import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { excerpt } from "../../lib/tape/excerpt.ts";
import { fold, locate } from "../../lib/tape/fold.ts";
import type { JsonObject } from "../../lib/json.ts";

const shown = (payload: JsonObject, query: string) =>
  excerpt(payload, (text) => locate(text, fold(query)));

Deno.test("TP7 a short payload is shown as it is", () => {
  const payload = { role: "user", content: "a needle in hay" };
  assertEquals(shown(payload, "needle"), payload);
});

Deno.test("TP7 B46 a long text is cut around the match, which is whole, and no character is split", () => {
  for (let shift = 0; shift < 4; shift++) {
    const hay = "x".repeat(shift) + "👨‍👩‍👧é".repeat(1000);
    const { role, content } = shown({ role: "user", content: `${hay}İNeedle${hay}` }, "needle");
    assertEquals(role, "user");
    assert(typeof content === "string");
    assertStringIncludes(content, "İNeedle");
    assert(content.startsWith("…") && content.endsWith("…"));
    assert(content.length < 450, `${content.length}`);
    assert(content.isWellFormed(), content);
  }
});

Deno.test("TP7 a match at either end of a long text leaves nothing out there", () => {
  const hay = "hay ".repeat(1000);
  const first = String(shown({ content: `needle ${hay}` }, "needle").content);
  assert(first.startsWith("needle hay") && first.endsWith("…"));
  const last = String(shown({ content: `${hay}needle` }, "needle").content);
  assert(last.startsWith("…") && last.endsWith("hay needle"));
  assertEquals(last.length, 401);
});

Deno.test("TP7 texts without the match keep their start, numbers and short ones stay", () => {
  const payload = {
    results: ["a".repeat(5000), { n: 1, ok: true, s: `b needle ${"b".repeat(900)}` }],
  };
  const { results } = shown(payload, "needle");
  assert(Array.isArray(results));
  assertEquals(results[0], "a".repeat(400) + "…");
  assertStringIncludes(JSON.stringify(results[1]), '{"n":1,"ok":true,"s":"b needle bbb');
});

Deno.test("TP7 what cannot be cut small enough, or without hiding the match, is an excerpt of its JSON", () => {
  const many = Array.from({ length: 5000 }, (_, n) => n === 2500 ? "needle" : `item ${n}`);
  const { excerpt: text } = shown({ results: many }, "needle");
  assertStringIncludes(String(text), '"item 2499","needle","item 2501"');
  assert(String(text).length < 450);
  const across = shown({ a: "x".repeat(900), needle: "y".repeat(900) }, 'xxx","needle":"y');
  assertStringIncludes(String(across.excerpt), 'xxx","needle":"yyy');
});
