import { characterWidth, layOut } from "../../../lib/cli/chat/text_width.ts";
import { assertEquals } from "../../assert.ts";

Deno.test("characterWidth() is 2 for wide characters and emoji, 0 for marks alone", () => {
  const widths = ["a", "ä", "e\u0301", "日", "한", "ｆ", "🙂", "👩‍👩‍👧", "\u0301", "☎️", "☎"];
  assertEquals(widths.map(characterWidth), [1, 1, 1, 2, 2, 2, 2, 2, 0, 2, 1]);
});

Deno.test("layOut() breaks before the last column and never within a character", () => {
  assertEquals(layOut("abcdef", 5), { rows: ["abcd", "ef"], column: 2 });
  assertEquals(layOut("abc日", 5), { rows: ["abc", "日"], column: 2 });
  assertEquals(layOut("a\n\nb", 5), { rows: ["a", "", "b"], column: 1 });
  assertEquals(layOut("abcd", 5), { rows: ["abcd"], column: 4 });
});
