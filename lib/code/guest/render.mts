import {
  isAnyArrayBuffer,
  isDate,
  isMap,
  isPromise,
  isProxy,
  isRegExp,
  isSet,
  isTypedArray,
} from "node:util/types";
import { describeError, isError } from "./failure.mts";
import {
  apply,
  eachOfMap,
  eachOfSet,
  getMember,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  ownKeys,
  part,
  quoted,
  toText,
} from "./primordials.mts";

/** Objects in objects that are shown; what lies deeper is only named. */
const MAX_DEPTH = 10;

/** UTF-16 units after which the rest of a value is left out; texts themselves are printed whole. */
const MAX_UNITS = 256 * 1024;

const { toISOString, getTime } = Date.prototype;
const { toString: functionToString } = Function.prototype;
const { toString: regExpToString } = RegExp.prototype;

/**
 * Any value as a line of text: a text as it is, else like JSON, with words for what JSON has none
 * for. Calls getters, `toJSON` and traps of proxies, and shows what they throw. Never throws.
 */
export function render(value: unknown): string {
  if (typeof value === "string") return value;
  const rendering = new Rendering();
  try {
    rendering.add(value, 0);
    return rendering.text;
  } catch {
    return `${rendering.text}[cannot be shown]`;
  }
}

class Rendering {
  text = "";
  #full = false;
  /** The objects around the one that is shown, outermost first. */
  readonly #around: object[] = [];

  add(value: unknown, depth: number): void {
    switch (typeof value) {
      case "string":
        return this.#put(quoted(part(value, 0, MAX_UNITS)));
      case "bigint":
        return this.#put(`${toText(value)}n`);
      case "function":
        return this.#put(functionText(value));
      case "object":
        return value === null ? this.#put("null") : this.#addObject(value, depth);
      default:
        return this.#put(toText(value));
    }
  }

  #put(text: string): void {
    if (this.#full) return;
    this.text += text;
    if (this.text.length <= MAX_UNITS) return;
    this.#full = true;
    this.text = `${part(this.text, 0, MAX_UNITS)}… [the rest of this value is left out]`;
  }

  #addObject(value: object, depth: number): void {
    if (isPromise(value)) return this.#put("[Promise - did you forget await?]");
    if (isError(value)) {
      return this.#put(depth === 0 ? describeError(value) : `[${describeError(value)}]`);
    }
    if (isRegExp(value)) return this.#put(apply(regExpToString, value, []));
    if (isDate(value)) return this.#put(dateText(value));
    if (isAnyArrayBuffer(value)) return this.#put(`ArrayBuffer(${value.byteLength})`);
    for (let n = 0; n < depth; n++) {
      if (this.#around[n] === value) return this.#put("[Circular]");
    }
    if (depth >= MAX_DEPTH) return this.#put(isArray(value) ? "[Array]" : "[Object]");
    this.#around[depth] = value;
    const start = this.text;
    try {
      this.#addMembers(value, depth);
    } catch (thrown) {
      this.text = start;
      this.#put(`[cannot be shown: ${isProxy(value) ? "a proxy" : "it"} threw ${brief(thrown)}]`);
    }
  }

  #addMembers(value: object, depth: number): void {
    if (isArray(value) || isTypedArray(value)) return this.#addItems(value, depth);
    if (isMap(value)) return this.#addMap(value, depth);
    if (isSet(value)) return this.#addSet(value, depth);
    const name = className(value);
    if (name !== "") this.#put(`${name} `);
    const json = "toJSON" in value && typeof value.toJSON === "function"
      ? value.toJSON()
      : undefined;
    if (json === undefined || json === value) return this.#addProperties(value, depth);
    this.add(json, depth + 1);
  }

  #addItems(value: ArrayLike<unknown>, depth: number): void {
    this.#put(isArray(value) ? "[" : `${className(value)} [`);
    for (let n = 0; n < value.length && !this.#full; n++) {
      if (n > 0) this.#put(", ");
      this.add(value[n], depth + 1);
    }
    this.#put("]");
  }

  #addMap(map: Map<unknown, unknown>, depth: number): void {
    this.#put("Map {");
    let first = true;
    eachOfMap(map, (value, key) => {
      if (this.#full) return;
      if (!first) this.#put(", ");
      first = false;
      this.add(key, depth + 1);
      this.#put(" => ");
      this.add(value, depth + 1);
    });
    this.#put("}");
  }

  #addSet(set: Set<unknown>, depth: number): void {
    this.#put("Set {");
    let first = true;
    eachOfSet(set, (value) => {
      if (this.#full) return;
      if (!first) this.#put(", ");
      first = false;
      this.add(value, depth + 1);
    });
    this.#put("}");
  }

  #addProperties(value: object, depth: number): void {
    this.#put("{");
    const keys = ownKeys(value);
    let first = true;
    for (let n = 0; n < keys.length && !this.#full; n++) {
      const key = keys[n];
      if (typeof key !== "string" || !getOwnPropertyDescriptor(value, key)?.enumerable) continue;
      this.#put(`${first ? "" : ", "}${quoted(key)}: `);
      first = false;
      this.#addProperty(value, key, depth);
    }
    this.#put("}");
  }

  #addProperty(value: object, key: string, depth: number): void {
    let member: unknown;
    try {
      member = getMember(value, key);
    } catch (thrown) {
      return this.#put(`[its getter threw ${brief(thrown)}]`);
    }
    this.add(member, depth + 1);
  }
}

/** What was thrown, short and without a way into it. */
function brief(thrown: unknown): string {
  if (isError(thrown)) return describeError(thrown);
  return typeof thrown === "object" || typeof thrown === "function"
    ? "a value that is no Error"
    : toText(thrown);
}

function functionText(value: object): string {
  const name = getOwnPropertyDescriptor(value, "name")?.value;
  const shown = typeof name === "string" && name !== "" ? ` ${name}` : "";
  const source = isProxy(value) ? "" : apply(functionToString, value, []);
  return `[${part(source, 0, 6) === "class " ? "class" : "function"}${shown}]`;
}

function dateText(date: Date): string {
  const time = apply(getTime, date, []);
  return time === time ? quoted(apply(toISOString, date, [])) : "[an invalid date]";
}

/** Empty for plain objects. */
function className(value: object): string {
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return "";
  const name: unknown = prototype.constructor?.name;
  return typeof name === "string" ? name : "";
}
