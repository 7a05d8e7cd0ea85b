import { join } from "@std/path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { skillText } from "../skill/skill_folder.ts";
import { bub, COMPILED } from "./spawn.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

async function writeSkill(root: string, name: string, text: string): Promise<string> {
  const folder = join(root, ".agents/skills", name);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "SKILL.md"), text);
  return join(folder, "SKILL.md");
}

/** A workspace and a home with a skill each, one of the same name, and a broken one. */
async function withSkills(bench: Workbench) {
  const home = join(bench.root, "user");
  return {
    options: { env: { ...bench.env, HOME: home }, cwd: bench.workspace },
    deploy: await writeSkill(bench.workspace, "deploy", skillText("deploy", "How: to deploy.")),
    shadowed: await writeSkill(home, "Deploy", skillText("Deploy")),
    notes: await writeSkill(home, "notes", skillText("notes")),
    broken: await writeSkill(bench.workspace, "broken", "no header"),
  };
}

Deno.test("L1 S1 B67 skills lists name, source, description and location, and what is wrong", async () => {
  await using bench = await openWorkbench();
  const { options, deploy, notes, broken, shadowed } = await withSkills(bench);
  const { code, stdout, stderr } = await bub(["skills"], options);
  assertEquals(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assertEquals(lines.length, 6);
  assertMatch(lines[0] ?? "", /^bub {5}built-in {3}How to use bub/);
  assertEquals(lines.slice(1), [
    `        built-in:bub`,
    "deploy  workspace  How: to deploy.",
    `        ${deploy}`,
    "notes   user       About notes.",
    `        ${notes}`,
  ]);
  assertEquals(stderr.trimEnd().split("\n"), [
    `bub: ${broken}: it has no front matter: its first line must be ---`,
    `bub: ${shadowed}: another skill called deploy comes before it: ${deploy}`,
  ]);
  const made = await Array.fromAsync(Deno.readDir(bench.root), ({ name }) => name);
  assertEquals(made.sort(), ["user", "work"], "listing makes no home folder");
});

Deno.test("L1 skills --json has skills and problems, and nothing on standard error", async () => {
  await using bench = await openWorkbench();
  const { options, deploy, broken, shadowed } = await withSkills(bench);
  const { code, stdout, stderr } = await bub(["skills", "--json"], options);
  assertEquals([code, stderr], [0, ""]);
  const { skills, problems } = JSON.parse(stdout);
  assertEquals(skills[1], {
    name: "deploy",
    description: "How: to deploy.",
    source: "workspace",
    location: deploy,
    allowed_tools: null,
  });
  assertEquals(
    problems.map((problem: Record<string, string>) => [problem.severity, problem.location]),
    [["warning", broken], ["notice", shadowed]],
  );
  assertEquals(Object.keys(problems[0]).sort(), ["location", "reason", "severity"]);
});

Deno.test("L2 --skills limits the skills; an unknown one exits with 2 and names the close one", async () => {
  await using bench = await openWorkbench();
  const { options } = await withSkills(bench);
  await Deno.remove(join(bench.workspace, ".agents/skills/broken"), { recursive: true });
  const list = async (flag: string) => {
    const { code, stdout, stderr } = await bub(["run", ",skill", flag], options);
    assertEquals([code, stderr], [0, ""]);
    return stdout.split("\n").map((line) => line.split(":")[0]).filter((name) => name !== "");
  };
  assertEquals(await list("--skills=NOTES, deploy"), ["deploy", "notes"]);
  assertEquals(await list("--skills="), []);
  const unknown = await bub(["run", "hi", "--skills", "depoly"], options);
  assertEquals([unknown.code, unknown.stdout], [2, ""]);
  assertEquals(unknown.stderr, 'bub: there is no skill "depoly"; did you mean deploy?\n');
  const chat = await bub(["chat", "--skills", "depoly"], { ...options, stdin: { text: "" } });
  assertEquals([chat.code, chat.stderr], [unknown.code, unknown.stderr]);
});

Deno.test("S1 B67 E4 a skill folder that may not be read is one warning, and the others load", {
  ignore: COMPILED,
}, async () => {
  await using bench = await openWorkbench();
  const { options } = await withSkills(bench);
  const locked = join(bench.workspace, ".agents/skills/broken");
  const permissions = ["--allow-all", `--deny-read=${locked}`];
  const model = await bench.record({ text: "ok" });
  const run = await bub(["run", "hi", "-m", model], { ...options, permissions });
  assertEquals([run.code, run.stdout], [0, "ok\n"]);
  assertMatch(run.stderr, /^bub: no skill is taken from [^\n]*broken[^\n]*: read access [^\n]*\n$/);
  const { stdout } = await bub(["skills"], { ...options, permissions });
  assertStringIncludes(stdout, "deploy  workspace");
});

Deno.test("S1 E4 roots outside of the permissions are no news in a run; skills tells of them", {
  ignore: COMPILED,
}, async () => {
  await using bench = await openWorkbench();
  const { options } = await withSkills(bench);
  const root = join(bench.root, "user/.agents/skills");
  const permissions = ["--allow-all", `--deny-read=${root}`];
  const model = await bench.record({ text: "ok" });
  const args = ["run", "hi", "-m", model, "--skills=bub"];
  const run = await bub(args, { ...options, permissions });
  assertEquals(run.code, 0, run.stderr);
  assert(!run.stderr.includes(root), run.stderr);
  const { stderr } = await bub(["skills"], { ...options, permissions });
  assertStringIncludes(stderr, `bub: ${root}: read access`);
});
