import { render } from "../../../lib/code/guest/render.mts";
import { assert, assertEquals, assertMatch } from "../../assert.ts";

Deno.test("C2 B60 every value has a readable rendering", () => {
  const loop: Record<string, unknown> = { a: 1 };
  loop.self = loop;
  loop.list = [loop];
  class Point {
    x = 1;
    #y = 2;
    get sum() {
      return this.x + this.#y;
    }
  }
  const renderings: readonly (readonly [value: unknown, text: string])[] = [
    ["a\nb", "a\nb"],
    [["a\nb", 'c"'], '["a\\nb", "c\\""]'],
    [undefined, "undefined"],
    [null, "null"],
    [-1.5, "-1.5"],
    [NaN, "NaN"],
    [10n, "10n"],
    [Symbol("s"), "Symbol(s)"],
    [() => 1, "[function]"],
    [function name() {}, "[function name]"],
    [Point, "[class Point]"],
    [new Point(), 'Point {"x": 1}'],
    [{ a: 1, "b c": [true, null, undefined] }, '{"a": 1, "b c": [true, null, undefined]}'],
    [Object.create(null, { a: { value: 1, enumerable: true } }), '{"a": 1}'],
    [loop, '{"a": 1, "self": [Circular], "list": [[Circular]]}'],
    [[Promise.resolve()], "[[Promise - did you forget await?]]"],
    [
      new Map<unknown, unknown>([[1, { a: 1 }], ["k", new Map()]]),
      'Map {1 => {"a": 1}, "k" => Map {}}',
    ],
    [new Set([1, "a"]), 'Set {1, "a"}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Date(NaN), "[an invalid date]"],
    [/a\/b/g, "/a\\/b/g"],
    [new Error("e"), "Error: e"],
    [[new TypeError("e", { cause: new Error("c") })], "[[TypeError: e, because of Error: c]]"],
    [new DOMException("m", "AbortError"), "AbortError: m"],
    [new Uint8Array([1, 2]), "Uint8Array [1, 2]"],
    [new ArrayBuffer(3), "ArrayBuffer(3)"],
    [new URL("http://a/b"), 'URL "http://a/b"'],
    [new WeakMap(), "WeakMap {}"],
    [{ toJSON: () => ({ b: 1 }) }, '{"b": 1}'],
    [[, 1], "[undefined, 1]"],
  ];
  for (const [value, text] of renderings) assertEquals(render(value), text);
});

Deno.test("C2 B60 what throws while it is shown says so, and the rest is shown", () => {
  const thrower = () => {
    throw 1;
  };
  const object = Object.defineProperty({ a: 1 }, "x", { enumerable: true, get: thrower });
  assertEquals(render({ object, b: 2 }), '{"object": {"a": 1, "x": [its getter threw 1]}, "b": 2}');
  const proxy = new Proxy({}, { ownKeys: thrower });
  assertEquals(render([proxy, 1]), "[[cannot be shown: a proxy threw 1], 1]");
  assertEquals(
    render({ toJSON: () => assert(false, "no") }),
    "[cannot be shown: it threw AssertionError: no]",
  );
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  assertMatch(render(revoked.proxy), /^\[cannot be shown/);
  const odd = Object.assign(new Error("m"), { name: Symbol("n") });
  assertEquals(render(odd), "Error");
});

Deno.test("C2 B60 depth and size of what is shown have limits", () => {
  let deep: unknown = "end";
  for (let n = 0; n < 100; n++) deep = { deep };
  assertMatch(render(deep), /^(\{"deep": ){10}\[Object\]\}{10}$/);
  for (const wide of [new Array(1e9), { a: "x".repeat(1e7) }, new Map([[1, "x".repeat(1e7)]])]) {
    const text = render(wide);
    assert(text.length < 300_000, `${text.length}`);
    assertMatch(text, /… \[the rest of this value is left out\]$/);
  }
  assertEquals(render("x".repeat(1e6)).length, 1e6, "a text is printed whole");
});
