import { loadPackage } from "../../lib/model/adapter.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertMatch, assertRejects } from "../assert.ts";

Deno.test("M3 L4 a package that cannot be loaded is a config error in one line that names it", async () => {
  const missing = new URL("no_such_package.ts", import.meta.url).href;
  const error = await assertRejects(
    () => loadPackage("@ai-sdk/openai-compatible", () => import(missing)),
    BubError,
  );
  assertEquals(error.kind, "config");
  assertMatch(error.message, /^the package @ai-sdk\/openai-compatible cannot be loaded, [^\n]+$/);
  const twoLines = () => Promise.reject(new TypeError("first\n    at second"));
  const { message } = await assertRejects(() => loadPackage("x", twoLines), BubError);
  assertMatch(message, /: first$/);
});
