const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/**
 * Hands the proxy variables of `env` (those of an `--env-file` too) to the process, where it has
 * none of its own. Deno's fetch reads them there at its very first request and never again, so
 * this must come before that one. Without the env permission nothing happens: Deno then still
 * honours those that the process was started with.
 */
export function adoptProxyVariables(env: Readonly<Record<string, string>>): void {
  for (const name of NAMES.flatMap((name) => [name, name.toLowerCase()])) {
    const value = env[name];
    if (value === undefined) continue;
    try {
      if (Deno.env.get(name) === undefined) Deno.env.set(name, value);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
}
