import { COMMANDS } from "../../lib/cli/commands.ts";
import { RUN_FLAGS } from "../../lib/cli/flags.ts";
import { builtInSkills } from "../../lib/skill/built_in.ts";
import { splitFrontMatter } from "../../lib/skill/front_matter.ts";
import { parseHeader } from "../../lib/skill/header.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { builtinTools } from "../../tools/mod.ts";
import { assert, assertEquals } from "../assert.ts";

const FOLDER = new URL("../../lib/skill/built_in/", import.meta.url);

Deno.test("S1 every built-in skill says of itself what its SKILL.md says", async () => {
  const folders = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  assertEquals(builtInSkills.map(({ name }) => name).sort(), folders.sort());
  for (const skill of builtInSkills) {
    const text = await Deno.readTextFile(new URL(`${skill.name}/SKILL.md`, FOLDER));
    const parts = splitFrontMatter(text);
    assert(typeof parts !== "string");
    const { remarks, ...header } = await parseHeader(parts.header, skill.name);
    assertEquals(remarks, []);
    assertEquals(header, {
      name: skill.name,
      description: skill.description,
      allowedTools: skill.allowedTools,
    });
    assertEquals(await skill.body(), parts.body.trim());
    assert(!parts.body.includes("SKILL_DIR/"), "a built-in skill has no folder");
  }
});

Deno.test("S1 the skill bub names only commands, flags and tools that there are", async () => {
  const text = await builtInSkills.find(({ name }) => name === "bub")?.body() ?? "";
  const code = Array.from(text.matchAll(/```sh\n([^]+?)```|`([^`\n]+)`/g), ([part]) => part).join(
    "\n",
  );
  const words = (pattern: RegExp) => Array.from(code.matchAll(pattern), ([, word = ""]) => word);

  const commands = words(/\bbub ([a-z]+)/g);
  assert(commands.includes("run") && commands.includes("chat"), commands.join());
  const known = new Set(COMMANDS.map(({ name }) => name));
  assertEquals(commands.filter((name) => !known.has(name)), []);

  const flags = words(/--([a-z-]+)/g);
  assert(flags.length > 5, flags.join());
  assertEquals(flags.filter((flag) => !(flag in RUN_FLAGS)), []);

  const tools = new ToolRegistry(builtinTools);
  const lines = words(/[ '],([a-z._]+)/g).filter((name) => name !== "git");
  assert(lines.length > 3, lines.join());
  assertEquals(lines.filter((name) => tools.find(name) === undefined), []);
});
