import { isJsonObject } from "../../lib/json.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { skillText } from "../skill/skill_folder.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

/** An agent in a workspace with these skills, by folder. */
async function openWith(skills: Readonly<Record<string, string>>, answers = 1) {
  const script = Array.from({ length: answers }, () => ({ text: "ok" }));
  const app = await TemporaryAgent.open(script);
  for (const [folder, text] of Object.entries(skills)) {
    const path = `${app.workspace}/.agents/skills/${folder}`;
    await Deno.mkdir(path, { recursive: true });
    await Deno.writeTextFile(`${path}/SKILL.md`, text);
  }
  return app;
}

/** What the nth request, counted from 0, says as system prompt and as its last message. */
function said(app: TemporaryAgent, n: number): { system: string; last: string } {
  const { messages } = app.server.requests[n]?.body as { messages: { content: string }[] };
  return { system: messages[0]?.content ?? "", last: messages.at(-1)?.content ?? "" };
}

const DEPLOY = skillText("deploy", "How to deploy.", "Push $SKILL_DIR.");

Deno.test("S2 M4 the system prompt lists skills by name and description, without their text", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  await app.run("hi");
  const { system, last } = said(app, 0);
  assertStringIncludes(system, "\n- deploy: How to deploy.");
  assertStringIncludes(system, "\n- bub: How to use bub");
  assert(!system.includes("Push "), system);
  assertEquals(last, "hi");
});

Deno.test("S2 $name in a prompt expands the skill for the model and on the tape", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  await app.run("Use $deploy with $PATH");
  const folder = `${app.workspace}/.agents/skills/deploy`;
  const { last } = said(app, 0);
  assertEquals(
    last,
    `Use $deploy with $PATH\n\n<skill name="deploy" location="${folder}/SKILL.md">\n` +
      `Push ${folder}.\n</skill>`,
  );
  const tape = await app.tape();
  assertEquals(tape.find(({ kind }) => kind === "message")?.payload.content, last);
  const start = tape.find(({ payload }) => payload.name === "loop.step.start");
  assert(isJsonObject(start?.payload.data) && start.payload.data.prompt === last);
});

Deno.test("S2 $name in a message that steers a turn expands the skill too", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  const session = app.session();
  session.steer("Mind $deploy");
  await session.run("go", { signal: new AbortController().signal });
  assertMatch(said(app, 0).last, /^Mind \$deploy\n\n<skill name="deploy"[^]+<\/skill>\s+go$/);
});

Deno.test("S1 a skill that is added between turns is there in the next one", async () => {
  await using app = await openWith({}, 2);
  await app.run("one");
  await Deno.mkdir(`${app.workspace}/.agents/skills/deploy`, { recursive: true });
  await Deno.writeTextFile(`${app.workspace}/.agents/skills/deploy/SKILL.md`, DEPLOY);
  await app.run("two");
  assert(!said(app, 0).system.includes("deploy"));
  assertStringIncludes(said(app, 1).system, "- deploy: ");
});

Deno.test("A4 allowedSkills narrows list, expansion and tool; [] turns skills off", async () => {
  await using app = await openWith({ deploy: DEPLOY }, 2);
  await app.run("$deploy", { allowedSkills: ["BUB"] });
  assertEquals(said(app, 0).last, "$deploy");
  assert(!said(app, 0).system.includes("- deploy: "));
  assertStringIncludes(said(app, 0).system, "- bub: ");
  await app.run("$deploy", { allowedSkills: [] });
  assert(!said(app, 1).system.includes("Skills"), said(app, 1).system);
  const refused = await app.run(",skill deploy", { allowedSkills: ["bub"] });
  assertEquals(refused.output, "(no such skill)");
});

Deno.test("A4 an unknown name in allowedSkills ends the turn before the model is asked", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  const { status, error } = await app.run("hi", { allowedSkills: ["depoly"] });
  assertEquals([status, error?.kind], ["error", "config"]);
  assertStringIncludes(error?.message ?? "", "did you mean deploy?");
  assertEquals(app.server.requests.length, 0);
});

Deno.test("S2 a turn without the tool skill is not told of skills, but $name still works", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  await app.run("$deploy", { allowedTools: ["fs.read"] });
  assert(!said(app, 0).system.includes("- deploy: "));
  assertStringIncludes(said(app, 0).last, "Push ");
});

Deno.test("S1 an invalid skill is warned of once, not in every turn", async () => {
  await using app = await openWith({ deploy: DEPLOY, broken: "# no header" }, 2);
  await app.run("one");
  await app.run("two");
  const warnings = app.events.flatMap((event) => event.type === "warning" ? [event.message] : []);
  assertEquals(warnings, [
    `no skill is taken from ${app.workspace}/.agents/skills/broken/SKILL.md: ` +
    "it has no front matter: its first line must be ---",
  ]);
  assertStringIncludes(said(app, 1).system, "- deploy: ");
});

Deno.test("S2 T6 ,skill reads skills as a text command", async () => {
  await using app = await openWith({ deploy: DEPLOY });
  assertStringIncludes((await app.run(",skill")).output, "deploy: How to deploy.");
  const { output } = await app.run(",skill name=DEPLOY");
  assertStringIncludes(output, "---\nPush ");
});
