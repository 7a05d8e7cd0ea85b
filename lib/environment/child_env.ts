/** `BUB_API_KEY`, `BUB_<PROVIDER>_API_KEY`, and the client options, whose headers may hold a key. */
const OWN_KEYS = /^BUB_(.*API_KEY|CLIENT_ARGS)$/;

/**
 * Whether the variable `name` holds a model's key: one of bub's own, or one of `providerKeys`, the
 * names that providers themselves read. Case does not count, as on Windows.
 */
export function isKeyVariable(name: string, providerKeys: readonly string[] = []): boolean {
  const upper = name.toUpperCase();
  return OWN_KEYS.test(upper) || providerKeys.some((key) => key.toUpperCase() === upper);
}

/**
 * The variables child processes get: all of `env` but the models' keys, of which those named in
 * `pass` stay. `providerKeys` are the names that providers themselves read.
 */
export function childEnv(
  env: Readonly<Record<string, string>>,
  pass: readonly string[],
  providerKeys: readonly string[],
): Record<string, string> {
  const given = ([name]: [string, string]) =>
    pass.includes(name) || !isKeyVariable(name, providerKeys);
  return Object.fromEntries(Object.entries(env).filter(given));
}

/**
 * `env` without the variables of the dynamic loader (`LD_…`, `DYLD_…`): without the whole run
 * permission Deno starts no program as long as one of them is set.
 */
export function withoutLoaderVariables(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(LD|DYLD)_/.test(name)));
}
