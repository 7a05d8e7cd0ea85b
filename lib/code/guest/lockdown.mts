import { registerHooks } from "node:module";

/** What code keeps of the global names: the language, and what neither reads nor reaches a thing. */
const KEPT: ReadonlySet<PropertyKey> = new Set([
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
 * Deletes every name and symbol of the global object that is not kept, and all that it inherits.
 * What is left leads to no `EventTarget`, whose methods the runtime itself calls.
 */
export function dropGlobals(): void {
  for (const name of Reflect.ownKeys(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  }
  Object.setPrototypeOf(globalThis, Object.prototype);
  const { timeOrigin } = performance;
  const now = performance.now.bind(performance);
  Object.assign(globalThis, { performance: { now: () => now(), timeOrigin } });
}

/**
 * Makes constant what the runtime looks up while it delivers messages and calls its operations:
 * code that changed it would be handed these.
 */
export function hardenIntrinsics(): void {
  const looked = [Function.prototype, Array, Array.prototype, Promise, Promise.prototype];
  for (const object of looked) Object.freeze(object);
  // Most is an object, and may well have members of its own that are called like those of all.
  Object.preventExtensions(Object.prototype);
}
