import { type Configuration, resolveSettings, type SettingFlags } from "../config/resolve.ts";
import { SCOPE_KEYS, type ScopeSetting } from "../config/scope_setting.ts";
import type { FlagValues } from "./args.ts";
import type { CommandContext } from "./command.ts";
import type { COMMON_FLAGS, SCOPE_FLAGS, SESSION_FLAGS } from "./flags.ts";

/**
 * Resolves the settings; warnings go to standard error, for a command that saves also why nothing
 * will be saved. Throws `config`.
 */
export async function configure(
  flags: SettingFlags,
  { console, env }: CommandContext,
  { saves }: { readonly saves: boolean },
): Promise<Configuration> {
  const configuration = await resolveSettings({ flags, env, saves });
  const { warnings, homeProblem, settings } = configuration;
  console.verbosity = settings.verbosity;
  const lost = saves && homeProblem !== null ? [homeProblem] : [];
  for (const warning of [...warnings, ...lost]) void console.complain(warning, "yellow");
  return configuration;
}

/** The settings among the flags that every command takes. */
export function commonFlags(flags: FlagValues<typeof COMMON_FLAGS>): SettingFlags {
  return { workspace: flags.workspace, envFile: flags["env-file"], plugins: flags.plugin };
}

/** The bounds of tools among the flags of a command. */
export function scopeFlags(flags: FlagValues<typeof SCOPE_FLAGS>): ScopeSetting {
  return Object.fromEntries(
    SCOPE_KEYS.flatMap((key) => flags[key] === undefined ? [] : [[key, flags[key]]]),
  );
}

/** The settings among the flags of a command. */
export function settingFlags(
  flags: FlagValues<typeof SESSION_FLAGS & typeof COMMON_FLAGS & typeof SCOPE_FLAGS>,
): SettingFlags {
  return {
    ...commonFlags(flags),
    scope: scopeFlags(flags),
    model: flags.model,
    reasoningEffort: flags["reasoning-effort"],
    codeMode: flags["code-mode"],
    maxSteps: flags["max-steps"],
    verbosity: flags.quiet === true ? -1 : flags.verbose,
  };
}
