import { parseArgs as parse } from "@std/cli/parse-args";
import { alternatives, closeMatches } from "../close_match.ts";
import { SCOPE_ITEMS } from "../config/scope_setting.ts";
import type { ScopeAccess, ScopeRule } from "../environment/scope.ts";
import { BubError } from "../errors.ts";
import { denoFlagHint } from "./deno_flags.ts";

/** One flag of a command: what it takes, and its line in the help. */
export type FlagSpec = { readonly short?: string; readonly help: string } & FlagKind;

type FlagKind =
  | { readonly kind: "switch" }
  /** May be repeated; its value is how often it came. */
  | { readonly kind: "count" }
  | { readonly kind: "text"; readonly value: string }
  /** May be repeated; its value is all that came, in order. */
  | { readonly kind: "texts"; readonly value: string }
  /** Names with commas between; an empty text is an empty list. */
  | { readonly kind: "list"; readonly value: string }
  | { readonly kind: "choice"; readonly value: string; readonly choices: readonly string[] }
  /** A whole number from 1 on. */
  | { readonly kind: "whole"; readonly value: string }
  /** A number over 0, fractions allowed. */
  | { readonly kind: "positive"; readonly value: string }
  /**
   * A rule of the scope in Deno's grammar: alone it means everything and takes no word, behind `=`
   * stand items with commas between, a comma inside one doubled. Repeated ones add up; beside a
   * bare one the stricter counts. Relative paths stay as they are.
   */
  | {
    readonly kind: "access";
    readonly rule: "allow" | "deny";
    readonly access: ScopeAccess;
    /** What the items are, as the help shows it. */
    readonly items: string;
  };

/** The flags of a command by their long names. */
export type FlagTable = Readonly<Record<string, FlagSpec>>;

type FlagValue<F extends FlagSpec> = F extends { kind: "switch" } ? true
  : F extends { kind: "count" | "whole" | "positive" } ? number
  : F extends { kind: "list" | "texts" } ? readonly string[]
  : F extends { kind: "choice"; choices: readonly (infer C)[] } ? C
  : F extends { kind: "access" } ? ScopeRule
  : string;

/** The values that came, by long name; what did not come is not there. */
export type FlagValues<T extends FlagTable> = { readonly [K in keyof T]?: FlagValue<T[K]> };

export interface ParsedArgs<T extends FlagTable> {
  readonly flags: FlagValues<T>;
  /** Everything else in order; `-` among them stands for standard input. */
  readonly words: readonly string[];
  /** What came behind `--`: words, whatever they look like. */
  readonly literal: readonly string[];
}

/**
 * Sorts the arguments of a command into flags and words: `--flag value`, `--flag=value`, `-f value`,
 * `-fvalue`, switches together (`-qv`), flags before and behind words. Of a flag that came twice the
 * last value counts; empty words are dropped. Throws `config`.
 */
export function parseArgs<const T extends FlagTable>(
  args: readonly string[],
  table: T,
): ParsedArgs<T> {
  const specs = Object.entries(table);
  const named = (fits: (spec: FlagSpec) => boolean) =>
    specs.filter(([, spec]) => fits(spec))
      .flatMap(([name, { short }]) => [`--${name}`, short && `-${short}`]);
  const switches = named((spec) => spec.kind === "switch" || spec.kind === "count");
  const bounds = named((spec) => spec.kind === "access");
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const own = args.slice(0, end).flatMap((arg) =>
    bounds.includes(arg) ? [`${arg}=${BARE}`] : spellOut(arg, switches)
  );
  const given: Record<string, unknown> = parse([...own, ...args.slice(end)], {
    "--": true,
    string: ["_", ...Object.keys(table)],
    collect: Object.keys(table),
    alias: Object.fromEntries(specs.flatMap(([name, { short }]) => short ? [[short, name]] : [])),
    unknown(arg, key) {
      if (key !== undefined) throw unknownFlag(arg.replace(/=.*/s, ""), table);
      return arg !== "";
    },
  });
  const flags = specs.flatMap(([name, spec]) => {
    const values = given[name] as readonly string[];
    return values.length === 0 ? [] : [[name, flagValue(values, spec, `--${name}`)]];
  });
  return {
    flags: Object.fromEntries(flags),
    words: given._ as readonly string[],
    literal: given["--"] as readonly string[],
  };
}

/** The value of a flag that came without one: no argument can hold a NUL. */
const BARE = "\0";

/**
 * An argument in words that `@std` cannot take for something else: letters that stand together are
 * taken apart, and switches get a value, or else a word `true` behind them would be it.
 */
function spellOut(arg: string, switches: readonly unknown[]): readonly string[] {
  if (switches.includes(arg)) return [`${arg}=true`];
  const [, flag, rest] = /^(-[^-])([^=].*)$/s.exec(arg) ?? [];
  if (flag === undefined || rest === undefined) return [arg];
  return switches.includes(flag)
    ? [`${flag}=true`, ...spellOut(`-${rest}`, switches)]
    : [flag, rest];
}

function flagValue(values: readonly string[], spec: FlagSpec, shown: string): unknown {
  const value = values.at(-1) ?? "";
  if (spec.kind === "access") return scopeRule(values, spec, shown);
  if (!("value" in spec)) {
    const odd = values.find((each) => each !== "true");
    if (odd !== undefined) throw usage(`${shown} takes no value, but got "${odd}"`);
    return spec.kind === "switch" || values.length;
  }
  if (values.includes("") && spec.kind !== "list") {
    throw usage(`${shown} needs a value: ${shown} ${spec.value}`);
  }
  switch (spec.kind) {
    case "text":
      return value;
    case "texts":
      return values;
    case "list":
      return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
    case "choice":
      if (spec.choices.includes(value)) return value;
      throw usage(`${shown} must be ${alternatives(spec.choices)}, not "${value}"`);
    case "whole":
      if (/^0*[1-9]\d{0,14}$/.test(value)) return Number(value);
      throw usage(`${shown} must be a whole number from 1 on, not "${value}"`);
    case "positive":
      if (/^\d*\.?\d+$/.test(value) && Number(value) > 0) return Number(value);
      throw usage(`${shown} must be a number over 0, not "${value}"`);
  }
}

function scopeRule(
  values: readonly string[],
  { rule, access, items }: FlagSpec & { kind: "access" },
  shown: string,
): ScopeRule {
  const lists = values.filter((value) => value !== BARE);
  if (lists.length === 0 || (rule === "deny" && lists.length < values.length)) return true;
  const listed = lists.flatMap(splitItems);
  for (const item of listed) {
    if (item === "") {
      throw usage(`${shown}= needs ${items} with commas between; without = it means everything`);
    }
    const found = SCOPE_ITEMS[access](item);
    if (found !== null) throw usage(`${shown} ${found.problem}`);
  }
  return listed;
}

/** The items between commas; a doubled comma is one that belongs to an item. */
function splitItems(list: string): readonly string[] {
  return list.replaceAll(",,", "\0").split(",").map((item) => item.replaceAll("\0", ","));
}

function unknownFlag(shown: string, table: FlagTable): BubError {
  const bounds = Object.entries(table).filter(([, { kind }]) => kind === "access");
  const foreign = denoFlagHint(shown, bounds.map(([name]) => `--${name}`));
  if (foreign !== undefined) return usage(`${shown} ${foreign}`);
  const close = closeMatches(shown, Object.keys(table).map((name) => `--${name}`));
  const hint = close.length === 0
    ? "--help shows those it takes"
    : `did you mean ${alternatives(close)}?`;
  return usage(`${shown} is not a flag of this command; ${hint}`);
}

/** A mistake in how the program was called. */
export function usage(message: string): BubError {
  return new BubError("config", message);
}
