import { SkillCatalog } from "../../lib/skill/catalog.ts";
import { builtInSkills } from "../../lib/skill/built_in.ts";
import type { ToolContext } from "../../lib/tool/tool.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { skill } from "../../tools/skill.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { SkillFolder, skillText } from "../skill/skill_folder.ts";
import { Workbench } from "../tool/workbench.ts";

/** Calls the tool over these skills. */
async function call(folder: SkillFolder, args: Record<string, unknown>, allowed?: string[]) {
  const catalog = new SkillCatalog(folder.environment, builtInSkills);
  const skills = catalog.open({ allowed, warn: () => {} });
  const given: Partial<ToolContext> = { skills };
  await using bench = await Workbench.open(new ToolRegistry([skill]), given);
  const { status, text } = await bench.call("skill", JSON.stringify(args));
  assertEquals(status, "ok", text);
  return text;
}

Deno.test("S2 skill without a name lists the usable skills, one a line", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("b/SKILL.md", skillText("b", "|\n  One\n  two"));
  await folder.write("a/SKILL.md", skillText("a", "For: a"));
  await folder.write("broken/SKILL.md", "");
  const [a, b, bub, ...rest] = (await call(folder, {})).split("\n");
  assertEquals([a, b, rest], ["a: For: a", "b: One two", []]);
  assert(bub?.startsWith("bub: How to use bub"));
  assertEquals(await call(folder, { name: null }, ["A"]), "a: For: a");
  assertEquals(await call(folder, {}, []), "(empty)");
});

Deno.test("S2 skill with a name returns location and body, $SKILL_DIR replaced", async () => {
  await using folder = await SkillFolder.open();
  const body = "Run $SKILL_DIR/go.sh\n\n---\n\nEnd\n";
  const location = await folder.write("deploy/SKILL.md", skillText("deploy", "D.", body));
  const expected = `Location: ${location}\n---\nRun ${folder.path("deploy")}/go.sh\n\n---\n\nEnd`;
  assertEquals(await call(folder, { name: "deploy" }), expected);
  assertEquals(await call(folder, { name: " DePloy" }), expected);
  assertStringIncludes(
    await call(folder, { name: "bub" }),
    "Location: built-in:bub\n---\n# Using bub",
  );
});

Deno.test("S2 skill says what tools a skill limits itself to", async () => {
  await using folder = await SkillFolder.open();
  const text = skillText("a").replace("\n---\n", "\nallowed-tools: fs.read Bash(git *)\n---\n");
  await folder.write("a/SKILL.md", text);
  const [, tools] = (await call(folder, { name: "a" })).split("\n");
  assertEquals(tools, "Allowed tools: fs.read, Bash(git *)");
});

Deno.test("A4 S2 skill knows neither unknown nor forbidden skills", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("a/SKILL.md", skillText("a"));
  assertEquals(await call(folder, { name: "b" }), "(no such skill)");
  assertEquals(await call(folder, { name: "" }), "(no such skill)");
  assertEquals(await call(folder, { name: "a" }, ["bub"]), "(no such skill)");
  assertEquals(await call(folder, { name: "a" }, []), "(no such skill)");
});
