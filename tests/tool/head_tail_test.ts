import { HeadTail } from "../../lib/tool/head_tail.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";

const MARK = "\n[… the middle is left out …]\n";

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

Deno.test("T7 HeadTail keeps a text that fits as it is", () => {
  for (const pieces of [[], [""], ["abc"], ["a", "b", "c"], ["x".repeat(100)], ["é".repeat(50)]]) {
    const kept = new HeadTail(100);
    for (const piece of pieces) kept.push(piece);
    assertEquals(kept.toString(), pieces.join(""));
  }
});

Deno.test("T7 HeadTail keeps head and tail of a longer text within its bytes", () => {
  const text = Array.from({ length: 1000 }, (_, index) => `${index} `).join("");
  for (const size of [1, 7, 99, 100, 101, text.length]) {
    const kept = new HeadTail(100);
    for (let at = 0; at < text.length; at += size) kept.push(text.slice(at, at + size));
    const result = kept.toString();
    assert(bytes(result) <= 100 && bytes(result) >= 98, `${bytes(result)} bytes`);
    const [head = "", tail = ""] = result.split(MARK);
    assert(text.startsWith(head) && text.endsWith(tail));
    assertEquals(head.length, tail.length);
  }
});

Deno.test("T7 HeadTail splits no character", () => {
  for (const character of ["é", "€", "😀"]) {
    for (const shift of ["", "a", "ab", "abc"]) {
      const kept = new HeadTail(101);
      kept.push(shift);
      for (let count = 0; count < 2000; count++) kept.push(character);
      const result = kept.toString();
      assert(bytes(result) <= 101);
      assert(result.isWellFormed() && !result.includes("\ufffd"));
      assertMatch(
        result,
        new RegExp(`^${shift}${character}+${RegExp.escape(MARK)}${character}+$`, "u"),
      );
    }
  }
});
