import type { ParseOptions } from "./cli_parse_args.ts";

type FlagValue = string | number | boolean;

/** What one argument says: a flag, how it was written, and what follows `=`. */
const FLAG = /^-(?:(?<long>-)(?<no>no-)?)?(?<key>.+?)(?:=(?<value>.*))?$/s;

/** Reads one list of arguments; used once. */
export class ArgumentParser {
  readonly #options: ParseOptions;
  readonly #aliases = new Map<string, readonly string[]>();
  readonly #boolean: ReadonlySet<string>;
  readonly #string: ReadonlySet<string>;
  readonly #collect: ReadonlySet<string>;
  readonly #negatable: ReadonlySet<string>;
  readonly #result: Record<string, unknown> = {};
  readonly #positional: (string | number)[] = [];

  constructor(options: ParseOptions) {
    this.#options = options;
    for (const [key, value] of Object.entries(options.alias ?? {})) {
      const names = [key, ...list(value)];
      for (const name of names) this.#aliases.set(name, names.filter((other) => other !== name));
    }
    this.#boolean = this.#named(typeof options.boolean === "boolean" ? [] : options.boolean);
    this.#string = this.#named(options.string);
    this.#collect = this.#named(options.collect);
    this.#negatable = this.#named(options.negatable);
  }

  parse(all: readonly string[]): Record<string, unknown> {
    const end = all.indexOf("--");
    const args = end === -1 ? all : all.slice(0, end);
    const rest = end === -1 ? [] : all.slice(end + 1);
    this.#result._ = this.#positional;
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? "";
      const flag = FLAG.exec(arg)?.groups;
      if (flag !== undefined) {
        const used = flag.long === undefined
          ? this.#short(arg, args[at + 1])
          : this.#long(arg, flag, args[at + 1]);
        if (used) at++;
        continue;
      }
      this.#position(arg);
      if (this.#options.stopEarly) {
        this.#positional.push(...args.slice(at + 1));
        break;
      }
    }
    this.#fill();
    if (this.#options["--"]) this.#result["--"] = rest;
    else this.#positional.push(...rest);
    return this.#result;
  }

  /** Takes `--key`, `--no-key`, `--key=value`; returns whether it used the argument after it. */
  #long(arg: string, flag: Record<string, string | undefined>, next: string | undefined): boolean {
    let key = flag.key ?? "";
    if (flag.value !== undefined) {
      this.#set(key, this.#boolean.has(key) ? flag.value !== "false" : flag.value, arg);
      return false;
    }
    if (flag.no !== undefined) {
      if (this.#negatable.has(key)) {
        this.#set(key, false, arg, false);
        return false;
      }
      key = `no-${key}`;
    }
    const takes = this.#options.boolean !== true && !next?.startsWith("-");
    return this.#withNext(key, arg, next, takes);
  }

  /** Takes `-abc`, `-n5`, `-k=value`; returns whether it used the argument after it. */
  #short(arg: string, next: string | undefined): boolean {
    for (let at = 1; at < arg.length - 1; at++) {
      const letter = arg.charAt(at);
      const rest = arg.slice(at + 1);
      if (rest === "-") {
        this.#set(letter, rest, arg);
        continue;
      }
      const value = this.#attached(letter, rest);
      this.#set(letter, value ?? this.#bare(letter), arg);
      if (value !== undefined) return false;
    }
    const last = arg.slice(-1);
    if (last === "-") return false;
    return this.#withNext(last, arg, next, !/^--?[^-]/.test(next ?? ""));
  }

  /** The value that sticks to a letter of a cluster, or undefined where more letters follow. */
  #attached(letter: string, rest: string): string | undefined {
    if (rest === "=") return "";
    if (/[A-Za-z]/.test(letter)) {
      const value = /=(.+)/.exec(rest)?.[1];
      if (value !== undefined) return value;
      if (/-?\d+(\.\d*)?(e-?\d+)?$/.test(rest)) return rest;
    }
    return rest.length > 1 && /^\W/.test(rest) ? rest : undefined;
  }

  /** Sets a flag without a value of its own; `takes`: the next argument could be one. */
  #withNext(key: string, arg: string, next: string | undefined, takes: boolean): boolean {
    const isBoolean = this.#boolean.has(key) ||
      this.#aliases.get(key)?.some((name) => this.#boolean.has(name)) === true;
    if (next && takes && !isBoolean) {
      this.#set(key, next, arg);
      return true;
    }
    if (next === "true" || next === "false") {
      this.#set(key, next === "true", arg);
      return true;
    }
    this.#set(key, this.#bare(key), arg);
    return false;
  }

  #bare(key: string): FlagValue {
    return this.#string.has(key) ? "" : true;
  }

  #set(key: string, value: FlagValue, arg: string, collect = true): void {
    if (!this.#isKnown(key, arg) && this.#options.unknown?.(arg, key, value) === false) return;
    const typed = typeof value === "string" && !this.#string.has(key) ? asNumber(value) : value;
    for (const name of [key, ...this.#aliases.get(key) ?? []]) {
      if (!isSafe(this.#result, name)) continue;
      const before = this.#result[name];
      if (!collect || !this.#collect.has(key)) this.#result[name] = typed;
      else if (Array.isArray(before)) before.push(typed);
      else this.#result[name] = before ? [before, typed] : [typed];
    }
  }

  #isKnown(key: string, arg: string): boolean {
    return this.#boolean.has(key) || this.#string.has(key) || this.#collect.has(key) ||
      this.#aliases.has(key) || (this.#options.boolean === true && /^--[^=]+$/.test(arg));
  }

  #position(arg: string): void {
    if (this.#options.unknown?.(arg) === false) return;
    this.#positional.push(this.#string.has("_") ? arg : asNumber(arg));
  }

  /** Gives what was not written its default. */
  #fill(): void {
    for (const [key, value] of Object.entries(this.#options.default ?? {})) {
      if (Object.hasOwn(this.#result, key)) continue;
      for (const name of [key, ...this.#aliases.get(key) ?? []]) this.#result[name] = value;
    }
    for (const key of this.#boolean) this.#start(key, this.#collect.has(key) ? [] : false);
    for (const key of this.#string) if (this.#collect.has(key)) this.#start(key, []);
  }

  #start(key: string, value: unknown): void {
    if (!Object.hasOwn(this.#result, key) && isSafe(this.#result, key)) this.#result[key] = value;
  }

  /** The names of an option together with their aliases. */
  #named(names: string | readonly string[] = []): ReadonlySet<string> {
    const own = list(names).filter((name) => name !== "");
    return new Set(own.flatMap((name) => [name, ...this.#aliases.get(name) ?? []]));
  }
}

function list(names: string | readonly string[]): readonly string[] {
  return typeof names === "string" ? [names] : names;
}

function asNumber(value: string): string | number {
  const number = /\S/.test(value) ? Number(value) : NaN;
  return Number.isFinite(number) ? number : value;
}

/** Whether `key` can be set without reaching the object's prototype. */
function isSafe(result: Record<string, unknown>, key: string): boolean {
  return key !== "__proto__" && (key !== "constructor" || typeof result[key] !== "function");
}
