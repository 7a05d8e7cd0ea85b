import { BubError } from "../../lib/errors.ts";
import { parseEffort } from "../../lib/model/effort.ts";
import { assertEquals, assertThrows } from "../assert.ts";

Deno.test("SC3 parseEffort() takes every known name in any case, and lists them for another", () => {
  assertEquals(parseEffort("high"), "high");
  assertEquals(parseEffort("Minimal"), "minimal");
  assertEquals(parseEffort("AUTO"), "provider-default");
  for (const name of ["", "enormous", "constructor", "high "]) {
    const error = assertThrows(() => parseEffort(name), BubError, "auto, none, minimal, low");
    assertEquals(error.kind, "config");
  }
});
