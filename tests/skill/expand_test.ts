import { expandSkills } from "../../lib/skill/expand.ts";
import { assertEquals, assertMatch } from "../assert.ts";
import { skillsOf, turnSkills } from "./memory_skills.ts";

const SKILLS = skillsOf({ deploy: "Deploy it.", "pdf-tools": "Read $deploy.", gone: null });

/** The names of the skills whose text was put behind the prompt, which itself must be unchanged. */
async function expanded(prompt: string, allowed?: readonly string[]): Promise<string[]> {
  const text = await expandSkills(prompt, turnSkills(SKILLS, allowed), () => {});
  assertEquals(text.slice(0, prompt.length), prompt);
  return Array.from(
    text.slice(prompt.length).matchAll(/<skill name="(.+?)"/g),
    ([, name]) => name!,
  );
}

Deno.test("S2 expandSkills() puts the text of a named skill behind the prompt", async () => {
  const text = await expandSkills("Use $deploy now", turnSkills(SKILLS), () => {});
  assertEquals(
    text,
    'Use $deploy now\n\n<skill name="deploy" location="/skills/deploy/SKILL.md">\n' +
      "Deploy it.\n</skill>",
  );
});

Deno.test("S2 expandSkills() takes each skill once, in any case, in the order of the prompt", async () => {
  assertEquals(await expanded("$PDF-Tools, then $deploy; $Deploy!"), ["pdf-tools", "deploy"]);
  assertEquals(await expanded('($deploy) "$pdf-tools" $deploy\'s $deploy.'), [
    "deploy",
    "pdf-tools",
  ]);
});

Deno.test("S2 expandSkills() leaves alone what names no skill that may be used", async () => {
  for (
    const prompt of [
      "echo $PATH $1 $ $$deploy ${deploy} \\$deploy",
      "$deploys a$deploy $deploy_all $pdf $pdf-tools2",
      "deploy without a sign",
      "",
    ]
  ) {
    assertEquals(await expanded(prompt), [], prompt);
  }
  assertEquals(await expanded("$deploy and $pdf-tools", ["pdf-tools"]), ["pdf-tools"]);
  assertEquals(await expanded("$deploy", []), []);
});

Deno.test("S2 expandSkills() asks for no skills where the prompt names nothing", async () => {
  const none = {
    list: () => Promise.reject(new Error("asked")),
    find: () => Promise.reject(new Error("asked")),
  };
  assertEquals(await expandSkills("a $ b", none, () => {}), "a $ b");
});

Deno.test("S2 expandSkills() warns of a text that cannot be read and goes on", async () => {
  const warnings: string[] = [];
  const text = await expandSkills(
    "$gone $deploy",
    turnSkills(SKILLS),
    (message) => warnings.push(message),
  );
  assertMatch(text, /^\$gone \$deploy\n\n<skill name="deploy"/);
  assertEquals(warnings, ["$gone is not expanded: /skills/gone/SKILL.md: gone"]);
});
