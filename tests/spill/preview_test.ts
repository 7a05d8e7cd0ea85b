import { isLongerThan, preview } from "../../lib/spill/preview.ts";
import { assertEquals } from "../assert.ts";

Deno.test("SP1 isLongerThan() counts characters, not units", () => {
  for (const character of ["a", "é", "€", "😀"]) {
    for (const count of [0, 1, 9, 10]) {
      assertEquals(isLongerThan(character.repeat(count), 10), false, `${count} of ${character}`);
    }
    for (const count of [11, 20, 21, 1000]) {
      assertEquals(isLongerThan(character.repeat(count), 10), true, `${count} of ${character}`);
    }
  }
});

Deno.test("SP1 preview() has the first and last characters, none split", () => {
  for (const character of ["a", "é", "😀"]) {
    const { head, tail } = preview(character.repeat(100), 10);
    assertEquals([head, tail], [character.repeat(5), character.repeat(5)]);
  }
  const { head, tail } = preview("a😀".repeat(50), 7);
  assertEquals([head, tail], ["a😀a😀", "😀a😀"]);
});

Deno.test("SP1 preview() shows nothing twice of a text that fits", () => {
  for (const text of ["", "a", "😀", "abcdefg", "abcdefghij"]) {
    const { head, tail } = preview(text, 10);
    assertEquals(head + tail, text);
  }
});
