import { assertEquals } from "../assert.ts";
import type { AccessBounds, PathRule } from "../../lib/environment/bounds.ts";
import { judgePath, realByRule } from "../../lib/environment/path_rules.ts";

function rules(...paths: (string | [path: string, real: string])[]): PathRule[] {
  return paths.map((path) => {
    const [given, real] = typeof path === "string" ? [path, path] : path;
    return { written: given, path: given, real };
  });
}

function judged(path: string, bounds: Partial<AccessBounds<PathRule>>): string {
  return judgePath({ allow: true, deny: [], ...bounds }, "read", path)?.message ?? "";
}

Deno.test("E3 judgePath() covers a rule's path and what is below, by either spelling", () => {
  const allow = rules("/a", ["/link", "/real/target"]);
  for (const path of ["/a", "/a/b/c", "/link", "/link/x", "/real/target/x"]) {
    assertEquals(judged(path, { allow }), "", path);
  }
  for (const path of ["/", "/ab", "/real", "/real/target2", "/linked"]) {
    assertEquals(
      judged(path, { allow }),
      `read access to "${path}" is not allowed; --allow-read=${path} grants it`,
    );
  }
  assertEquals(judged("/anything", { allow: rules("/") }), "");
  assertEquals(
    judged("/a, b", { allow: [] }),
    'read access to "/a, b" is not allowed; --allow-read="/a,, b" grants it',
  );
});

Deno.test("E3 judgePath() lets a deny rule win, and names it as it was given", () => {
  const deny = [{ written: "./.env", path: "/a/.env", real: "/store/env" }];
  for (const path of ["/a/.env", "/a/.env/x", "/store/env"]) {
    for (const allow of [true, rules("/a", "/store/env")] as const) {
      assertEquals(
        judged(path, { allow, deny }),
        `read access to "${path}" is denied by --deny-read=./.env`,
      );
    }
  }
  assertEquals(judged("/a/.envrc", { deny }), "");
  assertEquals(judged("/a", { deny: true }), 'read access to "/a" is denied by --deny-read');
});

Deno.test("E3 realByRule() puts the real path of a rule in the place of its own", () => {
  const bounds = { allow: rules(["/link", "/real"]), deny: [] };
  assertEquals(realByRule(bounds, "/link/a/b"), "/real/a/b");
  assertEquals(realByRule(bounds, "/other/a"), "/other/a");
});
