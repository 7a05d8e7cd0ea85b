import { registerHooks } from "node:module";

/** What code keeps of the global names: the language, and what neither reads nor reaches a thing. */
const KEPT = new Set([
  ..."globalThis Infinity NaN undefined Object Function Array Number Boolean String Symbol".split(
    " ",
  ),
  ..."BigInt Date RegExp Math JSON Intl Temporal Promise Proxy Reflect Iterator eval".split(" "),
  ..."Error AggregateError EvalError RangeError ReferenceError SuppressedError".split(" "),
  ..."SyntaxError TypeError URIError DOMException".split(" "),
  ..."Map Set WeakMap WeakSet WeakRef FinalizationRegistry".split(" "),
  ..."DisposableStack AsyncDisposableStack".split(" "),
  ..."ArrayBuffer SharedArrayBuffer DataView Atomics WebAssembly".split(" "),
  ..."Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array".split(" "),
  ..."Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array".split(" "),
  ..."parseFloat parseInt isFinite isNaN escape unescape atob btoa".split(" "),
  ..."decodeURI decodeURIComponent encodeURI encodeURIComponent".split(" "),
  ..."TextDecoder TextEncoder URL URLPattern URLSearchParams".split(" "),
  ..."clearInterval clearTimeout setInterval setTimeout queueMicrotask".split(" "),
  ..."crypto performance structuredClone".split(" "),
]);

/**
 * Refuses every import from here on, of whatever form. Permissions alone would not do: a compiled
 * program has no check of them on imports, and `node:` modules need none. What is thrown is no
 * object, which could lead back to this module's surroundings.
 */
export function denyImports(): void {
  registerHooks({
    resolve() {
      throw "code cannot import: it has the language itself, and `tools`";
    },
  });
}

/**
 * Deletes every global name that is not kept, on the global object and all it inherits from. The
 * runtime itself dispatches events by methods of `EventTarget`, so these stay.
 */
export function dropGlobals(): void {
  const end = new Set([Object.prototype, EventTarget.prototype]);
  for (let object: object = globalThis; !end.has(object); object = Object.getPrototypeOf(object)) {
    for (const name of Reflect.ownKeys(object)) {
      const kept = object === globalThis && typeof name === "string" && KEPT.has(name);
      if (kept || name === "constructor" || typeof name === "symbol") continue;
      Reflect.deleteProperty(object, name);
    }
  }
}
