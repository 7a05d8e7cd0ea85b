/**
 * What the guest needs of the language once code has run that may have changed it. For the same
 * reason the guest's modules do without iteration, spread arguments and methods of arrays: all of
 * them look something up on a prototype.
 */

export const { apply, get: getMember, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
export const { create, defineProperty } = Object;
export const { isArray } = Array;
export const { parse: parseJson } = JSON;
export const toText = String;
export const NativeError = Error;
export const NativePromise = Promise;
export const AsyncFunction: AsyncFunctionConstructor = getPrototypeOf(async () => {})
  ?.constructor as AsyncFunctionConstructor;

type AsyncFunctionConstructor = new (body: string) => () => Promise<unknown>;

const { exec } = RegExp.prototype;
const { slice } = String.prototype;
const { stringify } = JSON;
const { delete: deleteOfMap, forEach: forEachOfMap, set: setOfMap } = Map.prototype;
const { forEach: forEachOfSet } = Set.prototype;

/** `pattern` is neither global nor sticky. */
export function match(pattern: RegExp, subject: string): RegExpExecArray | null {
  return apply(exec, pattern, [subject]);
}

export function part(whole: string, start: number, end: number): string {
  return apply(slice, whole, [start, end]);
}

/** A text as JSON; the methods `toJSON` that code may have added do not apply to texts. */
export function quoted(value: string): string {
  return stringify(value);
}

/** Any value as JSON; undefined for what JSON leaves out. Throws what the value throws. */
export function toJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string | undefined {
  return stringify(value, replacer);
}

export function putInMap<K, V>(map: Map<K, V>, key: K, value: V): void {
  apply(setOfMap, map, [key, value]);
}

export function dropOfMap<K>(map: Map<K, unknown>, key: K): void {
  apply(deleteOfMap, map, [key]);
}

export function eachOfMap<K, V>(map: Map<K, V>, visit: (value: V, key: K) => void): void {
  apply(forEachOfMap, map, [visit]);
}

export function eachOfSet(set: Set<unknown>, visit: (value: unknown) => void): void {
  apply(forEachOfSet, set, [visit]);
}
