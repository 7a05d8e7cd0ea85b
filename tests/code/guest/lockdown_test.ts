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

/** Scripts that give an object of theirs a member of a name that all of its kind inherit. */
const OWN_MEMBERS = [
  "const a = []; a.push = () => 7; print(a.push(1))",
  "const a = [1]; a.map = () => 7; print(a.map())",
  "const a = Object.assign([1, 2], { find() { return 7 }, toString() { return '' } }); print(a.find())",
  "const f = () => 1; f.call = () => 7; print(f.call())",
  "const f = () => 1; f.toString = () => 7; print(f.toString())",
  "print(Object.assign(() => 1, { toString() { return 7 } }).toString())",
  "class A { static { this.apply = () => 7 } } print(A.apply())",
  "class A { static call() { return 7 } } print(A.call())",
  "class A extends Array {} A.from = () => 7; print(A.from())",
  "class A extends Promise {} A.all = () => 7; print(A.all())",
  "const p = Promise.resolve(1); p.then = () => 7; print(p.then())",
  "const p = Promise.resolve(1); p.catch = () => 7; print(p.catch())",
  `function Stack() {}
   Stack.prototype = Object.create(Array.prototype);
   Stack.prototype.constructor = Stack;
   const s = new Stack(); s.push(7); print(s.length * s[0])`,
  "const o = Object.create(Array.prototype); o.push(7); print(o.pop())",
  `const extend = (d, b) => {
     Object.setPrototypeOf(d, b);
     function Hop() { this.constructor = d }
     d.prototype = (Hop.prototype = b.prototype, new Hop());
   };
   function List() { return Reflect.construct(Array, [], List) }
   extend(List, Array);
   function Job(run) { return Reflect.construct(Promise, [run], Job) }
   extend(Job, Promise);
   const list = new List(); list.push(await new Job((yes) => yes(7)).then((n) => n));
   print(list.constructor === List && list[0])`,
  "Array.prototype.flat = Array.prototype.flat || 1; print([[7]].flat()[0])",
  `const a = []; a.push = 1;
   const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(a, "push");
   print(writable + 2 * enumerable + 4 * configurable)`,
];

Deno.test("C3 what is built in cannot be changed, and objects may have members of its names", async () => {
  const tries = OWN_MEMBERS.map((code) => `{ ${code} }`);
  const { printed, problem } = await runInGuest(tries.join("\n"));
  assertEquals([problem, printed], [null, "7\n".repeat(OWN_MEMBERS.length)]);
});

const POLYFILLS = [
  "Array.prototype.push = () => 7",
  "Array.prototype.last = () => 7",
  "Array.prototype[0] = 7",
  "Array.prototype[Symbol.iterator] = () => 7",
  "Array.range = () => 7",
  "Array.from = () => 7",
  "Promise.delay = () => 7",
  "Promise.prototype.then = () => 7",
  "Function.prototype.call = () => 7",
  "Object.prototype.foo = 7",
  "Object.defineProperty(Array.prototype, 'push', { value: 7 })",
  "Object.defineProperty(Promise.prototype, 'constructor', { get: () => 7 })",
  "delete Array.prototype.push; throw 1",
];

Deno.test("C3 C2 code that extends what is built in hears of it", async () => {
  const tries = POLYFILLS.map((code) => `try { ${code}; print(7) } catch { print("refused") }`);
  const { printed, problem } = await runInGuest(tries.join("\n"));
  assertEquals([problem, printed], [null, "refused\n".repeat(POLYFILLS.length)]);
  const { problem: said } = await runInGuest("Array.prototype.push = 1");
  assertStringIncludes(said ?? "", "TypeError: push is built in, and cannot be changed (line 1");
});

Deno.test("C3 structuredClone copies plain data, and makes nothing of the runtime", async () => {
  const { printed, problem } = await runInGuest(`
    const data = { a: [1, , { b: null }], d: new Date(0), r: /x/gi, u: undefined, n: 1n };
    data.m = new Map([[data, new Set([data.a])]]);
    const copy = structuredClone(data);
    print(copy !== data && copy.m.has(copy) && [...copy.m.get(copy)][0] === copy.a);
    print(copy.a, 1 in copy.a, copy.d, copy.r, "u" in copy, copy.n, copy.a[2] !== data.a[2]);
    const bytes = new Uint8Array([1, 2, 3, 4]);
    const views = structuredClone([bytes.subarray(1, 3), bytes, new DataView(bytes.buffer, 2, 1)]);
    print(views[0], views[0].buffer === views[1].buffer, views[2].getUint8(0), views[1] !== bytes);
    const error = structuredClone(new RangeError("no", { cause: new Error("why") }));
    print(error instanceof RangeError, error.message, error.cause.message);
    print(structuredClone(new (class A { b = 1 })()), structuredClone(Object(5)) + 1);
    for (const bad of [() => 1, Symbol(), Promise.resolve(), new Proxy({}, {}), tools, [print]]) {
      try { print(structuredClone(bad)) } catch (error) { print(error.name) }
    }
    const brand = Symbol.for("Deno.core.hostObject");
    for (const type of ["Blob", "ReadableStream", "SecretKeyObject", "MessagePort", "none"]) {
      const made = structuredClone({ a: { [brand]: () => ({ type, mimeType: "", parts: [], size: 0 }) } });
      print(Object.getPrototypeOf(made.a) === Object.prototype, Reflect.ownKeys(made.a).length);
    }
    print("createObjectURL" in URL, "revokeObjectURL" in URL);
  `);
  assertEquals(problem, null);
  assertEquals(printed.split("\n"), [
    "true",
    '[1, undefined, {"b": null}] false "1970-01-01T00:00:00.000Z" /x/gi true 1n true',
    "Uint8Array [2, 3] true 3 true",
    "true no why",
    '{"b": 1} 6',
    ...Array(6).fill("DataCloneError"),
    ...Array(5).fill("true 0"),
    "false false",
    "",
  ]);
});
