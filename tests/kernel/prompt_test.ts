import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import type { ScopeSetting } from "../../lib/config/scope_setting.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

/** Two turns with an `AGENTS.md` that `make` has made: all warnings, and the system prompt. */
async function turns(make: (path: string) => Promise<void>, scope?: ScopeSetting) {
  const answers = [{ text: "one" }, { text: "two" }];
  await using app = await TemporaryAgent.open(answers, {}, { flags: { scope } });
  await make(`${app.workspace}/AGENTS.md`);
  await app.run("hi");
  await app.run("again");
  const { messages } = app.server.requests[0]?.body as { messages: { content: string }[] };
  const warnings = app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
  return { warnings, system: messages[0]?.content ?? "" };
}

Deno.test("M4 an AGENTS.md over 64 KiB is cut, which the user is told once in a conversation", async () => {
  // An odd byte in front: the cut comes inside of a character.
  const text = `a${"é".repeat(40_000)}`;
  const { warnings, system } = await turns((path) => Deno.writeTextFile(path, text));
  assertEquals(warnings, ["AGENTS.md has more than 64 KiB; the model gets the first 64 KiB"]);
  assertStringIncludes(system, "éé\n[cut at 64 KiB]");
  assert(!system.includes("\ufffd"));
});

Deno.test("M4 an AGENTS.md that is not UTF-8 is a warning, and read as well as may be", async () => {
  const bytes = new Uint8Array([0x41, 0x42, 0xff, 0x43]);
  const { warnings, system } = await turns((path) => Deno.writeFile(path, bytes));
  assertEquals(warnings, [
    "AGENTS.md is not UTF-8; the model gets U+FFFD in place of what is none",
  ]);
  assertStringIncludes(system, "AB\ufffdC");
});

Deno.test("M4 an AGENTS.md that is a folder is a warning, one that is missing or short is none", async () => {
  const { warnings } = await turns((path) => Deno.mkdir(path));
  assertEquals(warnings, ["AGENTS.md is not used: AGENTS.md is a folder, not a regular file"]);
  assertEquals((await turns(() => Promise.resolve())).warnings, []);
  assertEquals((await turns((path) => Deno.writeTextFile(path, "Be short é."))).warnings, []);
});

Deno.test("M4 E3 an AGENTS.md that is there by name but denied is a warning, once", async () => {
  const make = (path: string) => Deno.writeTextFile(path, "secret");
  const denied = await turns(make, { "deny-read": ["AGENTS.md"] });
  assertEquals(denied.warnings.length, 1);
  assertMatch(
    denied.warnings[0] ?? "",
    /^AGENTS\.md is not used: read access to "\S+" is denied by --deny-read=AGENTS\.md$/,
  );
  const link = (path: string) => Deno.symlink("../home/config.jsonc", path);
  const leading = await turns(link, { "allow-read": ["."] });
  assertEquals(leading.warnings.length, 1);
  assertStringIncludes(
    leading.warnings[0] ?? "",
    "AGENTS.md is not used: AGENTS.md leads elsewhere",
  );
  for (const { system } of [denied, leading]) assert(!system.includes("secret"));
});

Deno.test("M4 E3 where the workspace may not be looked at, no AGENTS.md is missed", async () => {
  const make = (path: string) => Deno.writeTextFile(path, "secret");
  const nothing = () => Promise.resolve();
  for (
    const scope of [{ "deny-read": ["."] }, { "deny-read": true }, {
      "allow-read": ["src"],
    }] as const
  ) {
    const { warnings, system } = await turns(make, scope);
    assertEquals(warnings, []);
    assert(!system.includes("secret"));
  }
  assertEquals((await turns(nothing, { "deny-read": ["AGENTS.md"] })).warnings, []);
});
