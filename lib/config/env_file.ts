import { BubError } from "../errors.ts";
import { lineAt } from "./position.ts";
import { readSettingsFile } from "./settings_file.ts";

/** A variable of an `--env-file`, and the line, from 1, that sets it. */
export interface EnvFileVariable {
  readonly value: string;
  readonly line: number;
}

export type EnvFile = Readonly<Record<string, EnvFileVariable>>;

/** The variables of an `--env-file`. Throws `config` with file and line. */
export async function loadEnvFile(path: string): Promise<EnvFile> {
  const given = `--env-file ${path}`;
  const source = await readSettingsFile(path, given);
  if (source === null) throw new BubError("config", `${given}: there is no such file`);
  return parseEnvFile(source, path);
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[ \t]*/;
/** A quoted value, over several lines if need be, and what may follow it on its line. */
const QUOTED = /^(?:"((?:[^"\\]|\\[^])*)"|'([^']*)')[ \t]*(?:#.*)?(?:\r?\n|$)/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * Parses `NAME=value` lines: `export` before the name is fine, `#` starts a comment, single quotes
 * keep everything, double quotes know `\n \r \t \\ \"`, both may span lines. Nothing is expanded.
 */
export function parseEnvFile(source: string, path: string): EnvFile {
  const variables: Record<string, EnvFileVariable> = {};
  let rest = source;
  const here = () => lineAt(source, source.length - rest.length);
  const mistake = (problem: string) => new BubError("config", `${path}:${here()}: ${problem}`);
  const take = (name: string, value: string) => {
    if (value.includes("\0")) throw mistake(`the value of ${name} has a NUL character in it`);
    variables[name] = { value, line: here() };
  };
  while (rest.length > 0) {
    const line = /^[^\n]*(?:\n|$)/.exec(rest)?.[0] ?? rest;
    if (/^\s*(?:#[^\n]*)?\s*$/.test(line)) {
      rest = rest.slice(line.length);
      continue;
    }
    const assignment = ASSIGNMENT.exec(line);
    if (assignment === null) throw mistake("a line must be NAME=value");
    const name = assignment[1] as string;
    const value = rest.slice(assignment[0].length);
    if (/^["']/.test(value)) {
      const quoted = QUOTED.exec(value);
      if (quoted === null) throw mistake(`the quotes around the value of ${name} do not close`);
      take(name, unquoted(quoted));
      rest = value.slice(quoted[0].length);
    } else {
      const bare = line.slice(assignment[0].length).replace(/(?:^|\s)#.*$/s, "").trim();
      take(name, bare);
      rest = rest.slice(line.length);
    }
  }
  return variables;
}

function unquoted([, double, single]: RegExpExecArray): string {
  if (double === undefined) return single ?? "";
  return double.replaceAll(
    /\\([^])/g,
    (whole, escaped) => ESCAPES[escaped] ?? (/["\\]/.test(escaped) ? escaped : whole),
  );
}
