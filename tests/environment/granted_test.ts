import { isGranted, type NamedAccess, requireGranted } from "../../lib/environment/granted.ts";
import { assertEquals, assertRejects, assertThrows } from "../assert.ts";

/** One access of each kind, and what it would be needed for. */
const ACCESSES: readonly (readonly [NamedAccess, () => Promise<unknown>])[] = [
  [{ name: "read", path: "/a, b" }, () => Deno.stat("/a, b")],
  [{ name: "write", path: "/x/y" }, () => Deno.mkdir("/x/y")],
  [{ name: "net", host: "127.0.0.1:1" }, () => Deno.connect({ hostname: "127.0.0.1", port: 1 })],
  [{ name: "env", variable: "HOME" }, async () => await Promise.try(() => Deno.env.get("HOME"))],
];

Deno.test({
  name: "E4 requireGranted() throws what Deno would, without trying",
  permissions: { read: false, write: false, net: false, env: false },
  async fn() {
    for (const [access, use] of ACCESSES) {
      const own = assertThrows(() => requireGranted(access), Deno.errors.NotCapable);
      const theirs = await assertRejects(use, Deno.errors.NotCapable);
      assertEquals(own.message, theirs.message);
      assertEquals(isGranted(access), false);
    }
  },
});

Deno.test("E4 requireGranted() lets pass what is granted", () => {
  for (const [access] of ACCESSES) requireGranted(access);
});
