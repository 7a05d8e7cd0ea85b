import { terminalText } from "../../lib/tool/terminal_text.ts";
import { assertEquals } from "../assert.ts";

Deno.test("B74 terminalText() shows control codes instead of sending them", () => {
  assertEquals(
    terminalText("\x1b]0;pwn\x07\x1b[2Jhi\r99%\r100%"),
    "␛]0;pwn␇␛[2Jhi\n99%\n100%",
  );
  assertEquals(terminalText("a\0b\x7fc\x9b2Jd\x85e"), "a␀b␡c\\x9b2Jd\\x85e");
});

Deno.test("B74 terminalText() leaves text, tabs and line ends alone", () => {
  const text = "tab\there\nüñí 😀 \u200f\u3000\n";
  assertEquals(terminalText(text), text);
  assertEquals(terminalText("a\r\nb\r\n"), "a\nb\n");
});
