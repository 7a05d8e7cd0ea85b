import { BubError } from "../../lib/errors.ts";
import { SkillCatalog } from "../../lib/skill/catalog.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { skillsOf } from "./memory_skills.ts";
import { SkillFolder, skillText } from "./skill_folder.ts";

const names = (skills: readonly { readonly name: string }[]) => skills.map(({ name }) => name);

Deno.test("S1 open() sees what was added since the last turn, and one turn sees no change", async () => {
  await using folder = await SkillFolder.open();
  const catalog = new SkillCatalog(folder.environment, []);
  const turn = () => catalog.open({ allowed: undefined, warn: () => {} });
  const first = turn();
  assertEquals(await first.list(), []);
  await folder.write("a/SKILL.md", skillText("a"));
  assertEquals(await first.list(), []);
  assertEquals(names(await turn().list()), ["a"]);
});

Deno.test("S1 open() warns of each invalid skill once, with its file and the reason", async () => {
  await using folder = await SkillFolder.open();
  const path = await folder.write("a/SKILL.md", "");
  const catalog = new SkillCatalog(folder.environment, []);
  const warnings: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await catalog.open({ allowed: undefined, warn: (message) => warnings.push(message) }).list();
  }
  assertEquals(warnings, [`no skill is taken from ${path}: it is empty`]);
  await Deno.writeTextFile(path, "x");
  await catalog.open({ allowed: undefined, warn: (message) => warnings.push(message) }).list();
  assertEquals(warnings.length, 2);
});

Deno.test("S1 open() does not say that no skill is taken from a root with too many folders", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("a/SKILL.md", skillText("a"));
  for (let n = 0; n < 1000; n++) await Deno.mkdir(folder.path(`b${n}`));
  const catalog = new SkillCatalog(folder.environment, []);
  const warnings: string[] = [];
  const skills = catalog.open({ allowed: undefined, warn: (message) => warnings.push(message) });
  assertEquals(names(await skills.list()), ["a"]);
  assertEquals(warnings, [
    `not every skill is taken from ${folder.path("")}: it has 1001 folders; ` +
    "only the first 1000 by name are looked into",
  ]);
});

Deno.test("A4 S2 open() gives only the allowed skills, none for []", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("broken/SKILL.md", "");
  const catalog = new SkillCatalog(folder.environment, skillsOf({ deploy: "", test: "" }));
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const none = catalog.open({ allowed: [], warn });
  assertEquals([await none.list(), await none.find("test")], [[], undefined]);
  assertEquals(warnings, [], "nothing was looked for");
  const some = catalog.open({ allowed: [" Test "], warn: () => {} });
  assertEquals(names(await some.list()), ["test"]);
  assertEquals((await some.find("TEST"))?.name, "test");
  assertEquals(await some.find("deploy"), undefined);
});

Deno.test("A4 L2 open() refuses a name that is no skill and names the close ones", async () => {
  await using folder = await SkillFolder.open();
  const catalog = new SkillCatalog(folder.environment, skillsOf({ deploy: "", test: "" }));
  const list = (name: string) => catalog.open({ allowed: [name], warn: () => {} }).list();
  const close = await assertRejects(() => list("depoly"), BubError, "did you mean deploy?");
  assertEquals(close.kind, "config");
  await assertRejects(() => list("x"), BubError, 'there is no skill "x"; bub skills lists them');
});
