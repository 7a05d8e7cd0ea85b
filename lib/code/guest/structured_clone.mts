import {
  isAnyArrayBuffer,
  isBoxedPrimitive,
  isDate,
  isMap,
  isNativeError,
  isPromise,
  isProxy,
  isRegExp,
  isSet,
  isSharedArrayBuffer,
  isWeakMap,
  isWeakSet,
} from "node:util/types";
import { toText } from "./primordials.mts";

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/**
 * A deep copy of plain data, in the place of the runtime's own function: that one makes objects of
 * the runtime, which code should not have, of whatever bears a certain symbol. It runs on the code's
 * behalf, with nothing in its hands but what the code gave it. Transfers nothing. Throws
 * `DataCloneError`.
 */
export function structuredClone(value: unknown, options?: { transfer?: unknown }): unknown {
  if (options?.transfer !== undefined) throw refusal("structuredClone transfers nothing here");
  return new Copying().copy(value);
}

function refusal(message: string): DOMException {
  return new DOMException(message, "DataCloneError");
}

/** One copy, in which what occurs several times still is one. */
class Copying {
  readonly #copies = new Map<object, object>();

  copy(value: unknown): unknown {
    if (typeof value === "function" || typeof value === "symbol") {
      throw refusal(`a ${typeof value} cannot be cloned`);
    }
    if (typeof value !== "object" || value === null) return value;
    return this.#copies.get(value) ?? this.#copyObject(value);
  }

  #copyObject(value: object): object {
    if (isProxy(value) || isPromise(value) || isWeakMap(value) || isWeakSet(value)) {
      throw refusal(`${Object.prototype.toString.call(value)} cannot be cloned`);
    }
    const copy = this.#shell(value);
    this.#copies.set(value, copy);
    if (isMap(value) && copy instanceof Map) {
      for (const [key, item] of [...value]) copy.set(this.copy(key), this.copy(item));
    } else if (isSet(value) && copy instanceof Set) {
      for (const item of [...value]) copy.add(this.copy(item));
    } else if (isNativeError(value)) {
      if ("cause" in value) define(copy, "cause", this.copy(value.cause), false);
    } else if (Array.isArray(value) || isPlain(copy)) this.#copyMembers(value, copy);
    return copy;
  }

  /** The copy without what is in it, if that may lead back to it. */
  #shell(value: object): object {
    if (Array.isArray(value)) return new Array(value.length);
    if (isMap(value)) return new Map();
    if (isSet(value)) return new Set();
    if (isDate(value)) return new Date(value.getTime());
    if (isRegExp(value)) return new RegExp(value.source, value.flags);
    if (isBoxedPrimitive(value)) return Object(this.copy(value.valueOf()));
    if (isNativeError(value)) return copyError(value);
    if (isSharedArrayBuffer(value)) return value;
    if (isAnyArrayBuffer(value)) return value.slice(0);
    if (ArrayBuffer.isView(value)) return this.#copyView(value);
    return {};
  }

  #copyView(view: ArrayBufferView): object {
    const buffer = this.copy(view.buffer);
    const length = "length" in view ? view.length : view.byteLength;
    return Reflect.construct(view.constructor, [buffer, view.byteOffset, length]);
  }

  #copyMembers(value: object, copy: object): void {
    for (const name of Object.keys(value)) {
      define(copy, name, this.copy(Reflect.get(value, name)), true);
    }
  }
}

function isPlain(copy: object): boolean {
  return Object.getPrototypeOf(copy) === Object.prototype;
}

function copyError(error: Error): Error {
  const name = toText(error.name);
  const kind = Object.hasOwn(ERRORS, name) ? ERRORS[name as keyof typeof ERRORS] : Error;
  const copy = new kind(error.message);
  define(copy, "stack", error.stack, false);
  return copy;
}

function define(object: object, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, name, { value, enumerable, writable: true, configurable: true });
}
