import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { openSandbox, type RunOptions } from "./open_sandbox.ts";

/** What code tries, and how that ends: with an error like this, or with this printed. */
type Attack = readonly [what: string, code: string, expected: RegExp | string, RunOptions?];

/** Runs of loops end at their time limit, so theirs is short. */
const BRIEF = { timeoutMs: 400 };
const TIMEOUT = /^timeout: the code took more than 0\.4 seconds/;
const MEMORY = /^tool: the code used more than 128 MiB of memory/;
const OUTPUT = /^tool: the code printed more than 1 MiB/;
const IMPORT = /^tool: (TypeError|SyntaxError): code cannot import/;
const IDLE = /^tool: the code waits for a promise that nothing can settle/;

const LOOPS: readonly Attack[] = [
  ["a loop", "while (true) {}", TIMEOUT, BRIEF],
  ["a loop of microtasks", "(function f() { Promise.resolve().then(f) })()", TIMEOUT, BRIEF],
  ["a loop of awaits", "for (;;) await null", TIMEOUT, BRIEF],
  ["a wait", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", TIMEOUT, BRIEF],
  ["a regular expression", '/(a+)+$/.test("a".repeat(40) + "!")', TIMEOUT, BRIEF],
  ["a toJSON", "print({ toJSON() { while (true); } })", TIMEOUT, BRIEF],
  ["a trap", "print(new Proxy({}, { ownKeys() { for (;;); } }))", TIMEOUT, BRIEF],
  ["a thenable", "await { then() { for (;;); } }", TIMEOUT, BRIEF],
  ["timers", "setInterval(() => {}, 1); await new Promise(() => {})", TIMEOUT, BRIEF],
  ["calls without end", "for (;;) await tools.echo({})", TIMEOUT, BRIEF],
  ["a call without end", "await tools.wait()", TIMEOUT, BRIEF],
  ["a call not awaited", "tools.wait()", TIMEOUT, BRIEF],
  [
    "generated code",
    "await (async () => {}).constructor('for (;;);')()",
    TIMEOUT,
    BRIEF,
  ],
  ["a promise nobody settles", "await new Promise(() => {})", IDLE],
  ["a thenable that never settles", "await { then() {} }", IDLE],
];

const BOMBS: readonly Attack[] = [
  ["arrays", "const a = []; while (true) a.push(new Array(1e5).fill(Math.random()))", MEMORY],
  ["objects", "const a = []; for (let n = 0;; n++) a.push({ n })", MEMORY],
  ["texts", 'let s = "x"; const a = []; for (;;) a.push((s + a.length).repeat(1e6) + "y")', MEMORY],
  ["buffers", "const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))", MEMORY],
  [
    "WebAssembly memory",
    "const m = new WebAssembly.Memory({ initial: 1 }); " +
    "for (;;) { m.grow(100); new Uint8Array(m.buffer).fill(1) }",
    MEMORY,
  ],
  ["calls that wait", "for (;;) tools.wait({ text: 'x'.repeat(1e5) })", MEMORY],
  ["a promise chain", "const a = []; for (;;) a.push(new Promise(() => {}))", MEMORY],
  ["a buffer too large", "new Uint8Array(8e15)", /^tool: RangeError: /],
  ["a text too large", '"x".repeat(2 ** 30)', /^tool: RangeError: /],
  ["an argument too large", "await tools.echo('x'.repeat(17 * 2 ** 20))", /too long.*\(kind inv/],
  ["a stack", "function f() { f() } f()", /^tool: RangeError: Maximum call stack size/],
  ["a flood of lines", 'for (;;) print("x".repeat(1000))', OUTPUT],
  ["a flood of empty lines", "for (;;) print()", OUTPUT],
  ["one text", 'print("x".repeat(2 ** 24))', OUTPUT],
  ["code nested too deeply", "[".repeat(1e6), /^tool: (SyntaxError|the process .* ended early)/],
  ["a name too long", "await tools['x'.repeat(5e7)]({})", /no tool has a name of 50000000 chara/],
  ["nested text", `eval("[".repeat(1e6))`, /^tool: RangeError: Maximum call stack size/],
];

/** Names that imports could have. */
const SPECIFIERS = [
  "node:fs",
  "node:worker_threads",
  "node:module",
  "npm:zod",
  "jsr:@std/path",
  "fs",
  "./main.mts",
  "file:///etc/passwd",
  "http://127.0.0.1/a.js",
  "data:text/javascript,export default 1",
  "blob:null/1",
  "ext:core/mod.js",
];

/** What code tries to get, each a function of its own in one run, and what it gets instead. */
const REACHES: Readonly<Record<string, readonly string[]>> = {
  "cannot import": [
    ...SPECIFIERS.map((name) => `await import("${name}")`),
    'await import("/etc/passwd", { with: { type: "json" } })',
    'await import.source("/a.wasm")',
    `await eval('import("node:fs")')`,
    `await (0, eval)('import("node:fs")')`,
    `await new Function('return import("node:fs")')()`,
    `await eval('import("node:fs")\\n//# sourceURL=file:///tmp/a.cjs')`,
    `await Function('return import("node:fs")\\n//# sourceURL=node:fs')()`,
    `await new Promise((_, no) => setTimeout(() => import("node:fs").catch(no)))`,
    `await Reflect.construct(Function, ['return import("fs")'])()`,
  ],
  "is not defined": [
    'require("fs")',
    'process.getBuiltinModule("fs")',
    "process.exit(0)",
    'new Worker("data:text/javascript,1", { type: "module" })',
    'Deno.readTextFileSync("/etc/passwd")',
    'new Deno.Command("true").spawn()',
    "Deno.exit(0)",
    "Deno[Deno.internal].core",
    'await caches.open("x")',
    'localStorage.setItem("a", "b")',
    'await fetch("http://127.0.0.1")',
    'new WebSocket("ws://127.0.0.1")',
    'new BroadcastChannel("a")',
    "close()",
    "self.close()",
    `postMessage('["end",null]')`,
    `Function("return postMessage")()('["end",null]')`,
    "name",
    "addEventListener('message', () => {})",
    "removeEventListener('message', () => {})",
    "reportError(1)",
    "new EventTarget()",
    "new Event('error')",
    "new MessageChannel()",
    "navigator.gpu",
    "Buffer.from('a')",
  ],
  "TypeError": [
    "globalThis.Deno.exit()",
    "await WebAssembly.compileStreaming({})",
    "Error.prepareStackTrace = (_, frames) => frames",
    "Object.defineProperty(Error, 'prepareStackTrace', { value: 1 })",
    "globalThis.constructor.prototype.postMessage('a')",
    "Object.getPrototypeOf(Object.getPrototypeOf(performance)).dispatchEvent",
    "dispatchEvent()",
    "globalThis.dispatchEvent = () => {}",
    "delete globalThis.dispatchEvent",
    "setTimeout('1')()",
    "new (setTimeout(() => {}).constructor)().ref()",
  ],
};

const MODULES: readonly Attack[] = [
  ["static import", 'import fs from "node:fs"', IMPORT],
  ["static export", 'export { readFileSync } from "node:fs"', /code cannot export/],
  ["import.meta", "import.meta.url", IMPORT],
];

const FORGED: readonly Attack[] = [
  [
    "an event of its own making",
    `print(dispatchEvent({ type: "unhandledrejection", reason: 1, preventDefault() {} }),
       dispatchEvent(Object.create(Object.prototype, { error: { value: 1 } })))`,
    "true true\n",
  ],
  ["lines of the protocol", `print('\\n["end",null]\\n')`, '\n["end",null]\n\n'],
  ["a closed wrapper", "} print(1); {", /^tool: SyntaxError: /],
  ["a closed function", "}); print(1); (() => {", /^tool: SyntaxError: /],
  ["a comment at the end", "print(1) // }", "1\n"],
  ["a comment that stays open", "print(1) /*", /^tool: SyntaxError: /],
  ["a template that stays open", "print(1) `", /^tool: SyntaxError: /],
  ["a name of the source", "throw Error('a')\n//# sourceURL=b", /Error: a \(line 1, column 7/],
];

/** What code changes, where it can: that it cannot is an error of its own. */
const TAMPERINGS = [
  "Array.prototype[Symbol.iterator] = undefined",
  "Array.prototype.push = Array.prototype.join = undefined",
  "Object.defineProperty(Array.prototype, 0, { set() { throw 1 } })",
  "Object.defineProperty(Object.prototype, 0, { set() { throw 1 } })",
  "Object.defineProperty(Object.prototype, 'type', { set() { throw 1 } })",
  "Object.prototype.toJSON = () => 1",
  "Object.prototype.then = (yes) => yes(5)",
  "Promise.prototype.then = undefined",
  "Promise.prototype.constructor = 5",
  "Promise.resolve = Promise.all = undefined",
  "Function.prototype.call = undefined",
  "Function.prototype.apply = Function.prototype.bind = undefined",
  "JSON.stringify = JSON.parse = undefined",
  "String.prototype.slice = String.prototype.replace = undefined",
  "RegExp.prototype.exec = undefined",
  "Map.prototype.get = Map.prototype.set = Map.prototype.forEach = undefined",
  "Reflect.apply = Reflect.get = Object.defineProperty = undefined",
  "globalThis.Promise = globalThis.Error = globalThis.String = undefined",
  "globalThis.setTimeout = globalThis.setInterval = undefined",
  "Object.freeze(globalThis)",
  "Object.setPrototypeOf(globalThis, null)",
  "globalThis.dispatchEvent = globalThis.addEventListener = undefined",
  "Error.stackTraceLimit = 0",
];

const TAMPERED: readonly Attack[] = TAMPERINGS.map((code) => [
  code,
  `try { ${code} } catch {}
   print([1, { a: "b" }], await tools.echo({ c: [2] }))`,
  '[1, {"a": "b"}] {"c": [2]}\n',
]);

/**
 * Code that changes what the runtime looks up while it delivers answers and reports rejections, and
 * prints each object of it that comes into its hands.
 */
const SPYING = `
  const own = new Set([Array.prototype, Object.prototype, Promise.prototype, globalThis]);
  const seen = (name, value) => {
    if (busy || own.has(value) || Object(value) !== value) return;
    busy = true;
    print(name, value);
    busy = false;
  };
  let busy = true;
  const spy = (object, name) => {
    let held = object[name];
    try {
      Object.defineProperty(object, name, {
        configurable: true,
        get() { seen(name, this); return held },
        set(value) { seen(name, this); seen(name, value); held = value },
      });
    } catch {}
  };
  for (const name of ["call", "apply", "bind"]) {
    const held = Function.prototype[name];
    try {
      Function.prototype[name] = function (...args) {
        seen(name, this);
        for (const arg of args) seen(name, arg);
        return Reflect.apply(held, this, args);
      };
    } catch {}
  }
  for (const name of ["0", "then", "constructor", "nodeType", "signal", "ports"]) {
    for (const object of [Object.prototype, Array.prototype, Promise.prototype]) spy(object, name);
  }
  for (const object of [Array, Promise]) spy(object, Symbol.species);
  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === "symbol") print("the global object has", String(key));
  }
  for (let of = Object.getPrototypeOf(globalThis); of !== null; of = Object.getPrototypeOf(of)) {
    if (of !== Object.prototype) print("the global object inherits", Reflect.ownKeys(of));
  }
  const answer = tools.echo({ a: 1 });
  Promise.reject(new Error("nobody"));
  busy = false;
  setTimeout(() => { throw 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  busy = true;
  print(await answer);`;

const THROWN: readonly Attack[] = [
  ["undefined", "throw undefined", /^tool: the code threw undefined, which is no Error$/],
  ["an object", "throw { a: 1 }", /^tool: the code threw \{"a": 1\}, which is no Error$/],
  ["an error with a bad name", "throw Object.assign(Error(), { name: Symbol() })", /^tool: Error/],
  [
    "an error whose members throw",
    "throw Object.defineProperty(new Error('a'), 'stack', { get() { throw 1 } })",
    /^tool: Error: a$/,
  ],
  [
    "a proxy",
    "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })",
    /^tool: the code/,
  ],
  [
    "a long text",
    'throw "y".repeat(2e7)',
    /^tool: the code threw y{8192}… \[19991808 more characters are left out\], which is no Error$/,
  ],
  [
    "a long message",
    "throw new Error('x'.repeat(1e8))",
    /^tool: Error: x{8185}… \[\d+ more characters are left out\] \(line 1, column 7: throw new /,
  ],
  ["a revoked proxy", "const p = Proxy.revocable({}, {}); p.revoke(); throw p.proxy", /^tool: the/],
];

/** Runs some at once: most of a run is another process's start. */
async function withstand(attacks: readonly Attack[]): Promise<void> {
  await using sandbox = openSandbox();
  const before = memory();
  const left = attacks.values();
  const runner = async () => {
    for (const [what, code, expected, options = {}] of left) {
      const { printed, error } = await sandbox.run(code, options);
      const outcome = error === null ? printed : `${error.kind}: ${error.message}`;
      if (typeof expected === "string") assertEquals(outcome, expected, `${what}: ${outcome}`);
      else assertMatch(outcome, expected, `${what}: ${outcome.slice(0, 500)}`);
    }
  };
  await Promise.all([runner(), runner(), runner()]);
  assertEquals((await sandbox.run("print('still here')")).printed, "still here\n");
  assert(memory() - before < 96 * 2 ** 20, "the host's memory is where it was");
}

function memory(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

Deno.test("C3 B55 B59 loops of every kind end at their time limit, dead waits before it", async () => {
  await withstand(LOOPS);
});

Deno.test("C3 B56 bombs and floods end their run with an error that says what was too much", async () => {
  await withstand(BOMBS);
});

Deno.test("C3 code reaches no module, file, process, network, cache, exit or worker", async () => {
  await withstand(MODULES);
  await using sandbox = openSandbox();
  for (const [expected, attacks] of Object.entries(REACHES)) {
    const code = `
      const AsyncFunction = (async () => {}).constructor;
      for (const attack of ${JSON.stringify(attacks)}) {
        try {
          print(attack, "gave", await new AsyncFunction("'use strict'; return " + attack)());
        } catch (error) {
          print(String(error));
        }
      }`;
    const { printed, error } = await sandbox.run(code);
    assertEquals(error, null);
    const answers = printed.trimEnd().split("\n");
    assertEquals(answers.length, attacks.length, printed);
    for (const [n, said] of answers.entries()) {
      assertStringIncludes(said, expected, `${attacks[n]}: ${said}`);
    }
  }
});

Deno.test("C3 B62 forged messages gain nothing, and text does not get out of its function", async () => {
  await withstand(FORGED);
});

Deno.test("C3 changed prototypes and globals change nothing of printing and calling", async () => {
  await withstand(TAMPERED);
});

Deno.test("C3 B58 whatever is thrown is an error that can be read", async () => {
  await withstand(THROWN);
});

Deno.test("C3 nothing that brings answers to the code, or tells of its rejections, is in its reach", async () => {
  await using sandbox = openSandbox();
  const { printed, notes, error } = await sandbox.run(SPYING, { timeoutMs: 5000 });
  assertEquals([error, printed], [null, '{"a": 1}\n']);
  assertEquals(notes.length, 2, notes.join("\n"));
});
