import { alternatives, closeMatches } from "../close_match.ts";
import { BubError } from "../errors.ts";

// Not `@std/cli/parse-args`: it reads `--tools=` as a flag called `tools=`, takes a word `true` behind
// a switch away from the message, and cannot tell a missing value from an empty one.

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
  | { readonly kind: "positive"; readonly value: string };

/** The flags of a command by their long names. */
export type FlagTable = Readonly<Record<string, FlagSpec>>;

type FlagValue<F extends FlagSpec> = F extends { kind: "switch" } ? true
  : F extends { kind: "count" | "whole" | "positive" } ? number
  : F extends { kind: "list" | "texts" } ? readonly string[]
  : F extends { kind: "choice"; choices: readonly (infer C)[] } ? C
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
 * `-fvalue`, switches together (`-qv`), flags before and behind words. Throws `config`.
 */
export function parseArgs<const T extends FlagTable>(
  args: readonly string[],
  table: T,
): ParsedArgs<T> {
  const flags: Record<string, unknown> = {};
  const words: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined && arg !== "--"; arg = rest.shift()) {
    if (arg === "-" || !arg.startsWith("-")) {
      words.push(arg);
      continue;
    }
    const { name, shown, inline, more } = splitFlag(arg, table);
    const spec = table[name] as FlagSpec;
    if (more !== undefined) rest.unshift(more);
    if (spec.kind === "switch" || spec.kind === "count") {
      if (inline !== undefined) throw usage(`${shown} takes no value, but got "${inline}"`);
      flags[name] = spec.kind === "switch" ? true : Number(flags[name] ?? 0) + 1;
      continue;
    }
    const next = rest[0];
    const follows = next !== undefined && (next === "-" || !next.startsWith("-"));
    const value = inline ?? (follows ? rest.shift() : undefined);
    if (value === undefined || (value === "" && spec.kind !== "list")) {
      throw usage(`${shown} needs a value: ${shown} ${spec.value}`);
    }
    flags[name] = spec.kind === "texts"
      ? [...(flags[name] as readonly string[] | undefined ?? []), value]
      : convert(value, spec, shown);
  }
  return { flags: flags as FlagValues<T>, words, literal: rest };
}

interface SplitFlag {
  /** Long name. */
  readonly name: string;
  /** As it was written. */
  readonly shown: string;
  /** The value in the same argument, if any. */
  readonly inline: string | undefined;
  /** Switches left in a bundle such as `-qv`. */
  readonly more?: string;
}

function splitFlag(arg: string, table: FlagTable): SplitFlag {
  if (arg.startsWith("--")) {
    const equals = arg.indexOf("=");
    const shown = equals === -1 ? arg : arg.slice(0, equals);
    const name = shown.slice(2);
    if (!Object.hasOwn(table, name)) throw unknownFlag(shown, table);
    return { name, shown, inline: equals === -1 ? undefined : arg.slice(equals + 1) };
  }
  const shown = arg.slice(0, 2);
  const name = Object.keys(table).find((each) => `-${table[each]?.short}` === shown);
  if (name === undefined) throw unknownFlag(shown, table);
  const behind = arg.slice(2);
  const kind = table[name]?.kind;
  if (behind === "") return { name, shown, inline: undefined };
  if (behind.startsWith("=")) return { name, shown, inline: behind.slice(1) };
  if (kind !== "switch" && kind !== "count") return { name, shown, inline: behind };
  return { name, shown, inline: undefined, more: `-${behind}` };
}

function convert(value: string, spec: FlagSpec, shown: string): unknown {
  switch (spec.kind) {
    case "list":
      return value.split(",").map((item) => item.trim()).filter((item) => item !== "");
    case "choice":
      if (spec.choices.includes(value)) return value;
      throw usage(`${shown} must be ${alternatives(spec.choices)}, not "${value}"`);
    case "whole":
      if (/^\d+$/.test(value) && Number(value) >= 1 && Number.isSafeInteger(Number(value))) {
        return Number(value);
      }
      throw usage(`${shown} must be a whole number from 1 on, not "${value}"`);
    case "positive":
      if (/^\d*\.?\d+$/.test(value) && Number(value) > 0) return Number(value);
      throw usage(`${shown} must be a number over 0, not "${value}"`);
    default:
      return value;
  }
}

function unknownFlag(shown: string, table: FlagTable): BubError {
  const close = closeMatches(shown, Object.keys(table).map((name) => `--${name}`));
  const hint = close.length === 0 ? "" : `; did you mean ${alternatives(close)}?`;
  return usage(`${shown} is not a flag of this command${hint}`);
}

/** A mistake in how the program was called. */
export function usage(message: string): BubError {
  return new BubError("config", message);
}
