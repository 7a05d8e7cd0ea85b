import { EditBuffer } from "../../../lib/cli/chat/edit_buffer.ts";
import { assertEquals } from "../../assert.ts";

function bufferOf(text: string): EditBuffer {
  const buffer = new EditBuffer();
  buffer.insert(text);
  return buffer;
}

/** The text with the cursor shown as a bar. */
function shown(buffer: EditBuffer): string {
  return `${buffer.before}|${buffer.text.slice(buffer.before.length)}`;
}

Deno.test("EditBuffer moves and deletes by characters as people count them", () => {
  const buffer = bufferOf("a👩‍👩‍👧é日");
  buffer.move(-1);
  assertEquals(shown(buffer), "a👩‍👩‍👧é|日");
  buffer.backspace();
  buffer.backspace();
  assertEquals(shown(buffer), "a|日");
  buffer.delete();
  buffer.delete();
  assertEquals(shown(buffer), "a|");
});

Deno.test("EditBuffer joins a combining mark to the character before it", () => {
  const buffer = bufferOf("e");
  buffer.insert("\u0301");
  buffer.move(-1);
  assertEquals(buffer.before, "");
});

Deno.test("EditBuffer keeps to the line the cursor is in", () => {
  const buffer = bufferOf("one\ntwo words\nthree");
  buffer.home();
  buffer.move(-1);
  assertEquals(shown(buffer), "one\ntwo words|\nthree");
  buffer.killWord();
  assertEquals(shown(buffer), "one\ntwo |\nthree");
  buffer.home();
  buffer.killBehind();
  assertEquals(shown(buffer), "one\n|\nthree");
  buffer.move(-1);
  buffer.killBefore();
  assertEquals(shown(buffer), "|\n\nthree");
  buffer.move(Infinity);
  buffer.killBefore();
  assertEquals(shown(buffer), "\n\n|");
});

Deno.test("EditBuffer moves by words", () => {
  const buffer = bufferOf("one  two three");
  buffer.wordLeft();
  buffer.wordLeft();
  assertEquals(shown(buffer), "one  |two three");
  buffer.wordRight();
  assertEquals(shown(buffer), "one  two| three");
});
