import { join } from "@std/path";
import { parseConfig } from "../../lib/config/config_file.ts";
import { resolveSettings } from "../../lib/config/resolve.ts";
import { SCOPE_KEYS, scopeOf, type ScopeSetting } from "../../lib/config/scope_setting.ts";
import { BubError } from "../../lib/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** The bounds that a configuration and flags come to. */
async function resolveScope(configured: ScopeSetting | undefined, given?: ScopeSetting) {
  await using folder = await temporaryFolder();
  if (configured !== undefined) {
    const text = JSON.stringify({ scope: configured });
    await Deno.writeTextFile(join(folder.path, "config.jsonc"), text);
  }
  using configuration = await resolveSettings({
    flags: { workspace: folder.path, scope: given },
    env: { BUB_HOME: folder.path },
    saves: false,
  });
  const { settings, values } = configuration;
  return { scope: settings.scope, value: values.get("scope") };
}

Deno.test("E3 without a rule there is no scope, wherever none is said", async () => {
  for (const configured of [undefined, {}]) {
    assertEquals((await resolveScope(configured)).scope, undefined);
    assertEquals((await resolveScope(configured, {})).scope, undefined);
  }
});

Deno.test("E3 every rule of config.jsonc and of the flags is in the scope, as it was written", () => {
  const setting = Object.fromEntries(SCOPE_KEYS.map((key) => [key, [key]]));
  assertEquals(scopeOf(setting), {
    allow: {
      read: ["allow-read"],
      write: ["allow-write"],
      net: ["allow-net"],
      run: ["allow-run"],
      env: ["allow-env"],
    },
    deny: {
      read: ["deny-read"],
      write: ["deny-write"],
      net: ["deny-net"],
      run: ["deny-run"],
      env: ["deny-env"],
    },
  });
  assertEquals(scopeOf({ "allow-net": [], "deny-run": true }), {
    allow: { net: [] },
    deny: { run: true },
  });
});

Deno.test("E3 L4 a flag replaces the same key of the configuration, and the others stay", async () => {
  const configured: ScopeSetting = { "allow-read": ["src", "docs"], "deny-read": [".env"] };
  assertEquals(await resolveScope(configured), {
    scope: { allow: { read: ["src", "docs"] }, deny: { read: [".env"] } },
    value: { value: configured, origin: "config" },
  });
  const given: ScopeSetting = { "allow-read": ["lib"], "allow-run": true };
  assertEquals(await resolveScope(configured, given), {
    scope: { allow: { read: ["lib"], run: true }, deny: { read: [".env"] } },
    value: { value: { ...configured, ...given }, origin: "flag" },
  });
});

for (
  const [member, problem] of [
    ['"allow-red": true', 'is not a known key; did you mean "allow-read"?'],
    ['"allow-read": false', "must be true or a list of texts, not false"],
    ['"allow-read": "src"', 'must be true or a list of texts, not "src"'],
    ['"deny-read": ["a", "~/.ssh"]', "must be a path that is written out, without ~ or file:"],
    ['"allow-read": [""]', "must be a path that is written out"],
    ['"allow-net": ["https://a.example"]', "must be a host or host:port, such as example.com:443"],
    ['"allow-env": [1]', "must be the name of a variable, not 1"],
    ['"allow-run": ["a\\u0000"]', "must be the name or the path of a program"],
  ] as const
) {
  Deno.test(`E3 L4 the scope {${member}} in config.jsonc is refused with its place`, async () => {
    const text = `{\n  "scope": {\n    ${member}\n  }\n}`;
    const { message } = await assertRejects(() => parseConfig(text, "f.jsonc"), BubError, problem);
    const [key = ""] = /[\w-]+/.exec(member) ?? [];
    assertEquals(message.startsWith(`f.jsonc:3: "scope.${key}`), true, message);
  });
}
