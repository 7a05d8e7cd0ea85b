import type { Skill } from "../../lib/skill/skill.ts";
import { skillLine, skillsPrompt } from "../../lib/skill/listing.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { skillsOf } from "./memory_skills.ts";

const described = (name: string, description: string): Skill => ({
  ...skillsOf({ [name]: "SECRET BODY" })[0]!,
  description,
});

Deno.test("S2 skillLine() is one line, whatever the description", () => {
  assertEquals(skillLine(described("a", "One\n\n  two\tthree")), "a: One two three");
});

Deno.test("S2 skillsPrompt() lists names and descriptions, nothing else of a skill", () => {
  const text = skillsPrompt([described("a", "For a."), described("b", "For b.")], "tools.skill");
  assertEquals(text.split("\n").slice(1), ["- a: For a.", "- b: For b."]);
  assertStringIncludes(text, "read it: tools.skill(name) returns");
  assert(!text.includes("SECRET") && !text.includes("/skills/"), text);
});

Deno.test("S2 skillsPrompt() is bounded and says how many it leaves out", () => {
  const many = Array.from({ length: 300 }, (_, n) => described(`skill-${n}`, "ü😀".repeat(512)));
  const text = skillsPrompt(many, "skill");
  assert(text.length < 10_000, String(text.length));
  assert(text.isWellFormed());
  const listed = text.split("\n").filter((line) => line.startsWith("- "));
  assert(listed.length >= 10);
  assertMatch(listed[0] ?? "", /^- skill-0: (ü😀)+ü?…$/);
  assert(text.endsWith(`(and ${300 - listed.length} more; skill without a name lists all)`));
});
