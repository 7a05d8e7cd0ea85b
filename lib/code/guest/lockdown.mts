import { registerHooks } from "node:module";
import { defineProperty, getOwnPropertyDescriptor, ownKeys, toText } from "./primordials.mts";
import { structuredClone } from "./structured_clone.mts";

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
  ..."crypto performance".split(" "),
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
  Object.assign(globalThis, { performance: { now: () => now(), timeOrigin }, structuredClone });
  for (const name of ["createObjectURL", "revokeObjectURL"]) Reflect.deleteProperty(URL, name);
}

/**
 * Makes constant what the runtime looks up while it delivers messages and calls its operations:
 * code that changed it would be handed these.
 */
export function hardenIntrinsics(): void {
  for (const object of [Function.prototype, Array, Array.prototype, Promise, Promise.prototype]) {
    for (const name of ownKeys(object)) harden(object, name);
    Object.preventExtensions(object);
  }
  // Most is an object, and may well have members of its own that are called like those of all.
  Object.preventExtensions(Object.prototype);
}

/**
 * Makes a member constant, yet leaves whatever inherits it free to have its own: one that is merely
 * read-only could not be assigned there either. Symbols are read-only, for with an accessor of that
 * name V8 iterates several times as slowly. What is filled by the methods of arrays is assigned a
 * length; that of `Array.prototype` itself tells nothing.
 */
function harden(holder: object, name: PropertyKey): void {
  if (holder === Array.prototype && name === "length") return;
  const { value, writable } = getOwnPropertyDescriptor(holder, name) ?? {};
  if (!writable) return void defineProperty(holder, name, { configurable: false });
  if (typeof name === "symbol") {
    return void defineProperty(holder, name, { configurable: false, writable: false });
  }
  const set = function (this: unknown, own: unknown): void {
    if (this !== holder) return assign(this as object, name, own);
    if (own !== value) throw new TypeError(`${toText(name)} is built in, and cannot be changed`);
  };
  defineProperty(holder, name, { get: () => value, set, configurable: false });
}

/** What an assignment does where nothing of the name is inherited. Throws for what is no object. */
function assign(object: object, name: PropertyKey, value: unknown): void {
  defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
