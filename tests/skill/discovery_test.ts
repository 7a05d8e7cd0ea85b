import { join } from "@std/path";
import { HostEnvironment } from "../../lib/environment/host.ts";
import { BubError } from "../../lib/errors.ts";
import { discoverSkills } from "../../lib/skill/discovery.ts";
import type { Skill } from "../../lib/skill/skill.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../assert.ts";
import { SkillFolder, skillText } from "./skill_folder.ts";

const windows = Deno.build.os === "windows";
const names = (skills: readonly Skill[]) => skills.map(({ name }) => name);

Deno.test("S1 discoverSkills() finds skills of workspace, home and program, sorted by name", async () => {
  await using folder = await SkillFolder.open();
  const location = await folder.write("pdf/SKILL.md", skillText("pdf"));
  await folder.write("README.md", "no skill");
  await folder.write("notes/README.md", "no skill either");
  await Deno.mkdir(`${folder.home}/.agents/skills/Deploy`, { recursive: true });
  await Deno.writeTextFile(`${folder.home}/.agents/skills/Deploy/SKILL.md`, skillText("Deploy"));
  const { skills, problems } = await folder.discover([builtIn("bub"), builtIn("PDF")]);
  assertEquals(
    skills.map(({ name, source }) => [name, source]),
    [["bub", "built-in"], ["Deploy", "user"], ["pdf", "workspace"]],
  );
  assertEquals(skills[2]?.location, location);
  assertEquals(problems.map(({ severity, location }) => [severity, location]), [
    ["notice", "built-in:PDF"],
  ]);
});

Deno.test("S1 discoverSkills() finds none where there are no folders and no home", async () => {
  await using folder = await SkillFolder.open();
  assertEquals(await folder.discover(), { skills: [], problems: [] });
  const homeless = new HostEnvironment({
    workspace: folder.workspace,
    homeFolder: undefined,
    outputFolder: folder.workspace,
    env: {},
    envPass: [],
    providerKeys: [],
  });
  assertEquals(await discoverSkills(homeless, []), { skills: [], problems: [] });
});

Deno.test("S1 discoverSkills() reads the root of a workspace that is the home once", async () => {
  await using folder = await SkillFolder.open();
  const home = new HostEnvironment({
    workspace: folder.workspace,
    homeFolder: folder.workspace,
    outputFolder: folder.workspace,
    env: {},
    envPass: [],
    providerKeys: [],
  });
  await folder.write("a/SKILL.md", skillText("a"));
  const { skills, problems } = await discoverSkills(home, []);
  assertEquals([skills.map(({ source }) => source), problems], [["workspace"], []]);
});

Deno.test("S1 B65 discoverSkills() loads six forms of one skill and warns of four others", async () => {
  await using folder = await SkillFolder.open();
  const text = (name: string) => skillText(name, "What: it does", "Body\n");
  await folder.write("crlf/SKILL.md", text("crlf").replaceAll("\n", "\r\n"));
  await folder.write("bom/SKILL.md", `\uFEFF${text("bom")}`);
  await folder.write("blanks/SKILL.md", text("blanks").replaceAll("---", "---  "));
  await folder.write("unended/SKILL.md", text("unended").trimEnd());
  await folder.write("header/SKILL.md", "---\nname: header\ndescription: What: it does\n---");
  await folder.write(
    "spaced/SKILL.md",
    text("spaced").replaceAll(": ", " : ").replace("What :", "What:"),
  );
  const utf16 = new Uint16Array(Array.from(`\uFEFF${text("utf16")}`, (c) => c.charCodeAt(0)));
  const bad = [
    [await folder.write("empty/SKILL.md", ""), "it is empty"],
    [await folder.write("lower/skill.md", text("lower")), "it must be called SKILL.md"],
    [await folder.write("utf16/SKILL.md", new Uint8Array(utf16.buffer)), "it is UTF-16 text"],
    [folder.path("folder/SKILL.md"), "is a folder, not a regular file"],
  ] as const;
  await Deno.mkdir(folder.path("folder/SKILL.md"), { recursive: true });

  const { skills, problems } = await folder.discover();
  assertEquals(names(skills), ["blanks", "bom", "crlf", "header", "spaced", "unended"]);
  for (const skill of skills) {
    assertEquals(skill.description, "What: it does", skill.name);
    assertEquals(await skill.body(), skill.name === "header" ? "" : "Body");
  }
  assertEquals(problems.length, bad.length);
  for (const [location, reason] of bad) {
    const problem = problems.find((each) => each.location === location);
    assertEquals(problem?.severity, "warning", location);
    assert(problem?.reason.includes(reason), problem?.reason);
  }
});

Deno.test("S1 B66 discoverSkills() passes over what it cannot read for sure, and only that", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("fine/SKILL.md", skillText("fine", "Fine.", "One\n\n---\n\nTwo\n"));
  await folder.write(
    "free/SKILL.md",
    skillText("free").replace("\n---\n", "\nallowed-tools:\n---\n"),
  );
  await folder.write("other/SKILL.md", skillText("another"));
  await folder.write("bytes/SKILL.md", Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff));
  await folder.write("long/SKILL.md", `---\nname: long\nx: ${"y".repeat(70_000)}\n---\n`);
  const { skills, problems } = await folder.discover();
  assertEquals(names(skills), ["fine"]);
  assertEquals(await skills[0]?.body(), "One\n\n---\n\nTwo");
  assertEquals(problems.map(({ reason }) => reason.split(/[:;]/)[0]), [
    "it is not UTF-8 text",
    "its allowed-tools must be names of tools, as text or as a list, not nothing",
    "its front matter has no end",
    'its name is "another" but its folder "other"',
  ]);
});

Deno.test({
  name: "S1 B67 discoverSkills() finds linked skills once and follows no loop",
  ignore: windows,
  async fn() {
    await using folder = await SkillFolder.open();
    const elsewhere = `${folder.home}/store/b`;
    await folder.write("a/SKILL.md", skillText("a"));
    await Deno.mkdir(elsewhere, { recursive: true });
    await Deno.writeTextFile(`${elsewhere}/SKILL.md`, skillText("b", "B.", "In $SKILL_DIR"));
    await Deno.symlink("..", folder.path("a/loop"));
    await Deno.symlink(elsewhere, folder.path("b"));
    await Deno.symlink("y", folder.path("x"));
    await Deno.symlink("x", folder.path("y"));
    await Deno.symlink("/", folder.path("root"));
    await Deno.symlink(".", folder.path("self"));
    await Deno.symlink("a/SKILL.md", folder.path("to-a-file"));
    await Deno.symlink("nowhere", folder.path("dangling"));
    const { skills, problems } = await folder.discover();
    assertEquals(names(skills), ["a", "b"]);
    assertEquals(await skills[1]?.body(), `In ${folder.path("b")}`);
    assertEquals(
      problems.map(({ location }) => location),
      ["dangling", "x", "y"].map(folder.path, folder),
    );
    assertEquals(problems[0]?.reason, "the link leads nowhere");
    for (const { reason } of problems.slice(1)) assertMatch(reason, /links form a loop/);
  },
});

Deno.test({
  name: "S1 B67 discoverSkills() lets the workspace win over the home and names what is shadowed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using folder = await SkillFolder.open();
    await folder.write("A/SKILL.md", skillText("A", "First."));
    await folder.write("a/SKILL.md", skillText("a", "Second."));
    await Deno.mkdir(`${folder.home}/.agents/skills/a`, { recursive: true });
    const third = `${folder.home}/.agents/skills/a/SKILL.md`;
    await Deno.writeTextFile(third, skillText("a", "Third."));
    const { skills, problems } = await folder.discover();
    assertEquals(skills.map(({ description }) => description), ["First."]);
    assertEquals(problems.map(({ severity, location }) => [severity, location]), [
      ["notice", folder.path("a/SKILL.md")],
      ["notice", third],
    ]);
    for (const { reason } of problems) assert(reason.includes(folder.path("A/SKILL.md")), reason);
  },
});

Deno.test("S1 B67 discoverSkills() looks into a bounded number of folders, and never below them", async () => {
  await using folder = await SkillFolder.open();
  await folder.write("a/SKILL.md", skillText("a"));
  await folder.write("a/node_modules/b/SKILL.md", skillText("b"));
  await folder.write("node_modules/c/SKILL.md", skillText("c"));
  await folder.write(".git/SKILL.md", skillText(".git"));
  makeFolders(folder.path("a/node_modules"), 100);
  makeFolders(folder.path(""), 1_100);
  await folder.write("zz/SKILL.md", skillText("zz"));
  const started = performance.now();
  const { skills, problems } = await folder.discover();
  const elapsed = performance.now() - started;
  assertEquals(names(skills), ["a"]);
  assertEquals(problems.map(({ severity, location }) => [severity, location]), [
    ["warning", join(folder.workspace, ".agents/skills")],
  ]);
  assert(problems[0]?.reason.includes("it has 1102 folders; only the first 1000 by name are"));
  assert(elapsed < 5_000, `took ${elapsed} ms`);
});

Deno.test("S1 B67 discoverSkills() warns of a root that is a file", async () => {
  await using folder = await SkillFolder.open();
  await Deno.mkdir(join(folder.workspace, ".agents"));
  await Deno.writeTextFile(join(folder.workspace, ".agents/skills"), "");
  const { skills, problems } = await folder.discover([builtIn("bub")]);
  assertEquals([names(skills), problems.map(({ severity }) => severity)], [["bub"], ["warning"]]);
});

Deno.test("S2 body() replaces $SKILL_DIR, and fails clearly once the skill is gone", async () => {
  await using folder = await SkillFolder.open();
  const path = await folder.write(
    "a/SKILL.md",
    skillText("a", "A.", "\n\nRun $SKILL_DIR/x.sh or ${SKILL_DIR}/y, not $SKILL_DIRS or $&.\n\n"),
  );
  const { skills: [skill] } = await folder.discover();
  const dir = folder.path("a");
  assertEquals(await skill?.body(), `Run ${dir}/x.sh or ${dir}/y, not $SKILL_DIRS or $&.`);
  await Deno.remove(path);
  const error = await assertRejects(() => skill?.body() ?? Promise.resolve(), BubError, path);
  assertEquals(error.kind, "not_found");
});

Deno.test("S2 body() cuts a text that no model could take and says where the rest is", async () => {
  await using folder = await SkillFolder.open();
  const path = await folder.write("a/SKILL.md", skillText("a", "A.", `-${"ü".repeat(2 ** 20)}`));
  const body = await (await folder.discover()).skills[0]?.body() ?? "";
  assertMatch(body, /^-ü{500000,}\n\n\[cut at 1048576 bytes; /);
  assert(body.endsWith(`${path} has the rest]`));
});

function makeFolders(parent: string, count: number): void {
  Deno.mkdirSync(parent, { recursive: true });
  for (let n = 0; n < count; n++) Deno.mkdirSync(join(parent, `m${n}`));
}

function builtIn(name: string): Skill {
  return {
    name,
    description: `About ${name}.`,
    source: "built-in",
    location: `built-in:${name}`,
    allowedTools: undefined,
    body: () => Promise.resolve("text"),
  };
}
