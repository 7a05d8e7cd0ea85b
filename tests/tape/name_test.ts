import { assert, assertEquals, assertThrows } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { checkTapeName, isSidecar, sidecarName, tapeName } from "../../lib/tape/name.ts";

Deno.test("TP1 tapeName() is 16 hex digits each of the MD5 of workspace and session id", () => {
  // md5("/tmp") and md5("cli:local") as coreutils' md5sum prints them.
  assertEquals(tapeName("/tmp", "cli:local"), "d42b9c57d24cf5db__0b871d5e50e7c192");
  // md5("/home/größe ✓") and md5(""): hashed as UTF-8.
  assertEquals(tapeName("/home/größe ✓", ""), "5eca712e6bbc006a__d41d8cd98f00b204");
});

Deno.test("TP1 sidecarName() marks a sibling of its tape", () => {
  const tape = tapeName("/tmp", "cli:local");
  const sidecar = sidecarName(tape, "spill");
  assertEquals(sidecar, `${tape}__sidecar__spill`);
  assert(isSidecar(sidecar));
  assert(!isSidecar(tape));
  assertEquals(checkTapeName(sidecar), sidecar);
});

Deno.test("TP1 sidecarName() refuses names that could not be told apart again", () => {
  for (const name of ["", "a__b", "_a", "a_", "A", "a/b", "..", "a b", "a".repeat(65)]) {
    const error = assertThrows(() => sidecarName("tape", name), BubError, JSON.stringify(name));
    assertEquals(error.kind, "invalid_input");
  }
  assertThrows(() => sidecarName("tape__sidecar__spill", "other"), BubError, "is a sidecar");
});
