import { alternatives } from "../close_match.ts";
import { SCOPE_KEYS } from "../config/scope_setting.ts";

/** Permission flags of `deno run` that set no bounds of tools. */
const FOREIGN = [
  ..."ARWNESIP".split("").map((letter) => `-${letter}`),
  ...["sys", "ffi", "import"].flatMap((name) => [`--allow-${name}`, `--deny-${name}`]),
  "--allow-all",
  "--ignore-env",
  "--ignore-read",
  "--permission-set",
  "--no-prompt",
];

const ELSEWHERE =
  "the bounds of tools are flags of bub run, chat and doctor, and scope in config.jsonc";

/**
 * What to say behind the name of an unknown flag that `deno run` would know; undefined for any
 * other. `bounds` are the flags of the command at hand that set bounds of tools.
 */
export function denoFlagHint(flag: string, bounds: readonly string[]): string | undefined {
  if (FOREIGN.includes(flag)) {
    const ours = bounds.filter((name) => name.startsWith("--allow-"));
    return bounds.length === 0
      ? `is a flag of deno run, not of this command; ${ELSEWHERE}`
      : `is a flag of deno run; what bounds tools here is ${
        alternatives(ours)
      }, and --deny-… of each`;
  }
  if (!SCOPE_KEYS.some((key) => `--${key}` === flag)) return undefined;
  return `is not a flag of this command; ${ELSEWHERE}`;
}
