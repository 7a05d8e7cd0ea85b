/**
 * What this program uses of `@std/cli/parse-args`: `deno task` puts it in that module's place where
 * JSR cannot be reached. `tests/std_contract_test.ts` pins what both do. Left out are names with
 * dots, which the original nests.
 *
 * No npm package is behind it. The one with the same rules is CommonJS, which costs 13 ms of
 * start-up for Deno's Node layer; the ES modules among them know neither `negatable` nor what an
 * unknown flag was given.
 */
import { ArgumentParser } from "./argument_parser.ts";

/** Same options as the original. */
export interface ParseOptions<
  B extends string = string,
  S extends string = string,
  C extends string = string,
  N extends string = string,
  D extends Record<string, unknown> = Record<string, unknown>,
  A extends Aliases = Aliases,
  DD extends boolean = boolean,
> {
  "--"?: DD;
  alias?: A;
  boolean?: boolean | B | readonly B[];
  default?: D;
  stopEarly?: boolean;
  string?: S | readonly S[];
  collect?: C | readonly C[];
  negatable?: N | readonly N[];
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

type Aliases = Readonly<Record<string, string | readonly string[]>>;

/** The type of one flag's value, before defaults. */
type Value<K, B, S, C, N> = K extends S ? (K extends C ? string[] : Negated<K, N, string>)
  : K extends B ? (K extends C ? boolean[] : boolean)
  : Negated<K, N, unknown[]>;
type Negated<K, N, T> = K extends N ? T | false : T;

/** `K` and the other names it goes by. */
type Names<K, A> = K extends keyof A
  ? K | (A[K] extends string ? A[K] : A[K] extends readonly string[] ? A[K][number] : never)
  : K;

type Present<B, C, D> = B | C | keyof D;

/** Same as the original's result, less the nesting of names with dots. */
export type Args<B, S, C, N, D, A, DD> =
  & Record<string, unknown>
  & {
    [K in Exclude<S, Present<B, C, D>> as Names<K, A> & string]?: Value<K, B, S, C, N>;
  }
  & {
    [K in Present<B, C, D> as Names<K, A> & string]: K extends keyof D
      ? (K extends B | S | C ? D[K] | Value<K, B, S, C, N> : D[K])
      : Value<K, B, S, C, N>;
  }
  & { _: (string | number)[] }
  & (DD extends true ? { "--": string[] } : Record<never, never>);

/** Reads command-line arguments as `@std/cli` does. */
export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends string = never,
  const N extends string = never,
  D extends Record<string, unknown> = Record<never, never>,
  const A extends Aliases = Record<never, never>,
  DD extends boolean = false,
>(
  args: readonly string[],
  options: ParseOptions<B, S, C, N, D, A, DD> = {},
): Args<B, S, C, N, D, A, DD> {
  return new ArgumentParser(options).parse(args) as Args<B, S, C, N, D, A, DD>;
}
