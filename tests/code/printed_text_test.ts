import { PrintedText } from "../../lib/code/printed_text.ts";
import { assert, assertEquals } from "../assert.ts";

/** What is kept of pieces within 1 KiB. */
function kept(...pieces: string[]): string {
  const printed = new PrintedText(1024);
  for (const piece of pieces) printed.add(piece);
  assertEquals(printed.units, pieces.join("").length);
  return printed.toString();
}

const CUT = "[cut: this is the first 1 KiB of what the code printed]\n";

Deno.test("C3 printed text is kept up to its limit in bytes, no character split", () => {
  assertEquals(kept(), "");
  assertEquals(kept("a".repeat(1000), "b".repeat(24)), "a".repeat(1000) + "b".repeat(24));
  assertEquals(kept("a".repeat(1025)), `${"a".repeat(1024)}\n${CUT}`);
  assertEquals(kept("a".repeat(1023), "€\n"), `${"a".repeat(1023)}\n${CUT}`);
  assertEquals(kept(`${"a".repeat(1023)}\n`, "b"), `${"a".repeat(1023)}\n${CUT}`);
  assertEquals(kept("😀".repeat(256)), "😀".repeat(256));
  assertEquals(kept(`x${"😀".repeat(256)}`), `x${"😀".repeat(255)}\n${CUT}`);
});

Deno.test("C3 printed text joins halves of a character and mends those that stay alone", () => {
  assertEquals(kept("\ud83d", "\ude00"), "😀");
  assertEquals(kept("a\ud83d"), "a\ufffd");
  assert(kept("\ud83d".repeat(1000)).isWellFormed());
});
