import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { runInGuest } from "./guest_worker.ts";

const SECRET = new URL("../../../deno.json", import.meta.url);

/** Every form in which code could load something. */
const IMPORTS = [
  ...[
    "node:fs",
    "node:worker_threads",
    "node:module",
    "node:process",
    "fs",
    "npm:zod",
    "jsr:@std/path",
    "@std/path",
    "./main.mts",
    "../protocol.ts",
    "../protocol.cjs",
    "data:text/javascript,export default 1",
    "data:application/json,1",
    "blob:null/00000000-0000-0000-0000-000000000000",
    "http://127.0.0.1:9/a.js",
    "ext:core/mod.js",
    "ext:core/ops",
    SECRET.href,
  ].map((name) => `import("${name}")`),
  `import("${SECRET.href}", { with: { type: "json" } })`,
  `import("${SECRET.href}", { with: { type: "text" } })`,
  `import("${SECRET.href}", { with: { type: "bytes" } })`,
  `eval('import("node:fs")')`,
  `(0, eval)('import("node:fs")')`,
  `new Function('return import("node:fs")')()`,
  `eval('import("node:fs")\\n//# sourceURL=file:///tmp/a.cjs')`,
  `eval('import("./a.cjs")\\n//# sourceURL=file:///tmp/a.cjs')`,
  `Function('return import("node:fs")\\n//# sourceURL=node:module')()`,
  `(async () => {}).constructor('return await import("node:fs")')()`,
  `(function* () {}).constructor('yield import("node:fs")')().next().value`,
  `new Promise((_, no) => setTimeout(() => import("node:fs").catch(no)))`,
  `Promise.resolve().then(() => import("node:fs"))`,
];

Deno.test("C3 B64 the guest alone refuses every import, where permissions would allow all", async () => {
  const tries = IMPORTS.map((text) =>
    `await ${text}.then(() => print("loaded"), (error) => print(String(error)));`
  );
  const { printed, problem } = await runInGuest(tries.join("\n"));
  assertEquals(problem, null);
  const answers = printed.trimEnd().split("\n");
  assertEquals(answers.length, IMPORTS.length);
  for (const [n, said] of answers.entries()) {
    assertStringIncludes(said, "code cannot import", `${IMPORTS[n]}: ${said}`);
  }
});

Deno.test("C3 what the guest leaves to code still works, and nothing else is there", async () => {
  const { printed, problem } = await runInGuest(`
    print(new URL("a", "http://b/c").href, new TextDecoder().decode(new TextEncoder().encode("ä")));
    print(atob(btoa("a")), structuredClone({ a: 1 }), typeof crypto.randomUUID());
    print(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array())).length);
    print(new Intl.NumberFormat("en").format(1e6), Temporal.PlainDate.from("2020-02-29").day);
    print(performance.now() > 0, new URLPattern({ pathname: "/:a" }).test("http://b/c"));
    const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    print((await WebAssembly.instantiate(bytes)).instance instanceof WebAssembly.Instance);
    print(Object.keys(globalThis).sort().join());
    print(["Deno", "process", "fetch", "caches", "Worker", "self", "postMessage", "onmessage"]
      .filter((name) => name in globalThis));
  `);
  assertEquals(problem, null);
  assertEquals(printed.split("\n"), [
    "http://b/a ä",
    'a {"a": 1} string',
    "32",
    "1,000,000 29",
    "true true",
    "true",
    "Audio,Image,ToolError,Video,atob,btoa,clearInterval,clearTimeout,console,crypto,performance," +
    "print,setInterval,setTimeout,structuredClone,tools",
    "[]",
    "",
  ]);
});
