import { pluginFiles } from "../../lib/config/plugin_files.ts";
import { assertEquals } from "../assert.ts";

const NAMES = {
  configured: [],
  configFolder: "/home/me/.bub",
  given: [],
  startFolder: "/work",
  userFolder: "/home/me",
};

Deno.test("H1 configured paths start at the configuration, given ones where they were typed", () => {
  const configured = ["a.ts", "./plugins/b.ts", "../c.ts"];
  const given = ["a.ts", "../d.ts"];
  assertEquals(pluginFiles({ ...NAMES, configured, given }), [
    "/home/me/.bub/a.ts",
    "/home/me/.bub/plugins/b.ts",
    "/home/me/c.ts",
    "/work/a.ts",
    "/d.ts",
  ]);
});

Deno.test("H1 a plugin named twice is loaded once; ~, absolute paths and file: URLs are paths", () => {
  const configured = ["~/p.ts", "/opt/q.ts"];
  const given = ["/home/me/p.ts", "file:///opt/q.ts", "file:///opt/r%20s.ts"];
  assertEquals(pluginFiles({ ...NAMES, configured, given }), [
    "/home/me/p.ts",
    "/opt/q.ts",
    "/opt/r s.ts",
  ]);
});

Deno.test("H1 without a folder of the user ~ is a name like any other", () => {
  const names = { ...NAMES, given: ["~/p.ts"], userFolder: undefined };
  assertEquals(pluginFiles(names), ["/work/~/p.ts"]);
});
