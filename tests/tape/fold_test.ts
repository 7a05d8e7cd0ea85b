import { assert, assertEquals } from "../assert.ts";
import { fold, holds, locate } from "../../lib/tape/fold.ts";

/** The part of `text` where `query` is found; null: nowhere. */
function found(text: string, query: string): string | null {
  const span = locate(text, fold(query));
  return span === null ? null : text.slice(span.start, span.end);
}

Deno.test("TP7 B46 a match is the text's own characters, whatever their forms", () => {
  for (
    const [text, query, match] of [
      ["İİ error here", "ERROR", "error"],
      ["İİ error here", "i̇i̇", "İİ"],
      ["STRASSE 1", "straße", "STRASSE"],
      ["die Straße", "STRASSE", "Straße"],
      ["un cafe\u0301 noir", "café", "cafe\u0301"],
      ["un café noir", "cafe\u0301", "café"],
      ["CAFÉ", "cafe\u0301", "CAFÉ"],
      ["a ﬁle here", "file", "ﬁle"],
      ["ΟΔΟΣ 7", "οδος", "ΟΔΟΣ"],
      ["\u1112\u1161\u11ab\u1100\u1173\u11af 1", "한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"],
      ["한글 1", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"],
      ["👨‍👩‍👧 family", "👩", "👩"],
      ["x😀y", "😀", "😀"],
      ["a.*b", ".*", ".*"],
      ["a[b", "[", "["],
    ] as const
  ) assertEquals(found(text, query), match, `${query} in ${text}`);
  assertEquals(found("abc", ".*"), null);
});

Deno.test("TP7 B46 places are right behind text that grows or shrinks when folded", () => {
  const before = "İßﬁe\u0301Ω".repeat(3000);
  assertEquals(locate(`${before}needle${before}`, "needle"), {
    start: before.length,
    end: before.length + 6,
  });
});

Deno.test("TP7 B46 folding in pieces comes to the same as folding the whole", () => {
  const text = "Ǆ ŉ e\u0301\u0323 ΐ ẞ ﬄ K Å 각 \u1100\u1161\u11a8 नि 👩‍❤️‍👩 Σς İi̇ ".repeat(200);
  const parts = text.match(/[\s\S][\p{M}\u1160-\u11ff]*/gu) ?? [];
  assertEquals(parts.map((part) => fold(part)).join(""), fold(text));
});

Deno.test("TP7 B46 long queries take time that grows with the sum of the lengths", () => {
  const started = performance.now();
  const text = "a".repeat(5_000_000);
  // Each of these makes native search look at every unit thousands of times.
  for (const at of [0, 5000, 9999]) {
    const query = `${"a".repeat(at)}b${"a".repeat(9999 - at)}`;
    assert(!holds(text, query));
    assertEquals(locate(`${text}${query}`, query)?.end, text.length + query.length);
  }
  assert(holds(text, "a".repeat(10_000)));
  assert(performance.now() - started < 10_000, `${performance.now() - started} ms`);
});
