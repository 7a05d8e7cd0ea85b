import { BubError } from "../../lib/errors.ts";
import { parseHeader } from "../../lib/skill/header.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

const read = (lines: string, folder = "a") => parseHeader(lines, folder);
const described = async (lines: string) => (await read(`name: a\n${lines}`)).description;

async function refused(lines: string, reason: string, folder = "a"): Promise<void> {
  const error = await assertRejects(() => read(lines, folder), BubError, reason);
  assertEquals(error.kind, "tool");
  assert(!error.message.includes("\n"), error.message);
}

Deno.test("S1 parseHeader() reads plain, quoted, folded and literal text", async () => {
  assertEquals(await described("description: one two"), "one two");
  assertEquals(await described('description: "a: b # c"'), "a: b # c");
  assertEquals(await described("description: >-\n  one\n  two\n"), "one two");
  assertEquals(await described("description: |\n  one\n  two\n"), "one\ntwo");
  assertEquals(await described("description: 2024-01-01"), "2024-01-01");
  assertEquals(await described("description: yes"), "yes");
});

Deno.test("S1 B65 parseHeader() takes field names in any case, with blanks before the colon", async () => {
  const { name, description } = await read("Name : a\r\nDescription : What it does\r\n");
  assertEquals([name, description], ["a", "What it does"]);
  await refused("name: a\nName: a\ndescription: x", "has name twice");
});

Deno.test("S1 B66 parseHeader() reads an unquoted colon in prose, limits included", async () => {
  assertEquals(await described("description: Use when: the user asks"), "Use when: the user asks");
  assertEquals(await described("description: Use: a # not this\n"), "Use: a");
  assertEquals(await described('description: Say "x": y\\n'), 'Say "x": y\\n');
  const { allowedTools, description } = await read(
    "name: a\ndescription: Use for: x\nlicense: See: LICENSE\nallowed-tools: fs.read bash",
  );
  assertEquals([allowedTools, description], [["fs.read", "bash"], "Use for: x"]);
});

Deno.test("S1 B66 parseHeader() guesses nothing where text could be read in two ways", async () => {
  const yaml = "its front matter is no valid YAML in line 3: ";
  await refused("name: a\ndescription: one: two\n  more text", yaml);
  await refused("name: a\ndescription: one: two\n  more: text", yaml);
  await refused('name: a\ndescription: "one": two', yaml);
  await refused("name: a\ndescription: &x one: two", "must be text, not a mapping");
  await refused("name: a\ndescription: *bold* text", yaml);
  await refused("name: a\ndescription: x\nallowed-tools: fs.read: bash", "in line 4: ");
});

Deno.test("S1 B66 parseHeader() loads no skill whose limits cannot be read", async () => {
  const start = "name: a\ndescription: x\nallowed-tools:";
  const tools = async (value: string) => (await read(`${start}${value}`)).allowedTools;
  assertEquals((await read("name: a\ndescription: x")).allowedTools, undefined);
  assertEquals(await tools(" fs.read, Bash(git add *)  web_fetch"), [
    "fs.read",
    "Bash(git add *)",
    "web_fetch",
  ]);
  assertEquals(await tools(" [fs.read, bash]"), ["fs.read", "bash"]);
  assertEquals(await tools("\n  - fs.read\n  - bash"), ["fs.read", "bash"]);
  assertEquals(await tools(" []"), []);
  await refused(
    start,
    "its allowed-tools must be names of tools, as text or as a list, not nothing",
  );
  await refused(`${start} ''`, "not empty text");
  await refused(`${start} true`, "not the boolean true");
  await refused(`${start} [1]`, "not a list");
  await refused(`${start} {fs.read: yes}`, "not a mapping");
});

Deno.test("S1 B66 parseHeader() loads no skill whose limits stand in a misspelt field", async () => {
  for (
    const field of [
      "allowed_tools",
      "Allowed Tools",
      "allowedTools",
      "allowed-tool",
      "alowed-tools",
    ]
  ) {
    await refused(
      `name: a\ndescription: x\n${field}: fs.read`,
      `its front matter has ${field.toLowerCase()}, which must be called allowed-tools`,
    );
  }
  const { allowedTools, remarks } = await read(
    "name: a\ndescription: x\ndisallowed-tools: bash\nmodel: m\nversion: 1",
  );
  assertEquals([allowedTools, remarks], [undefined, []]);
});

Deno.test("S1 parseHeader() remarks on misspelt fields that nothing depends on", async () => {
  const { remarks } = await read("name: a\ndescription: x\nlicence: MIT\nmeta-data: {a: b}");
  assertEquals(remarks, [
    "its licence must be called license; it is ignored",
    "its meta-data must be called metadata; it is ignored",
  ]);
});

Deno.test("S1 B66 parseHeader() says what is missing, empty or of the wrong type", async () => {
  await refused("description: x", "its front matter has no name");
  await refused("name: a", "its front matter has no description");
  await refused("name: null\ndescription: x", "has no name");
  await refused("name: a\ndescription:", "has no description");
  await refused("name: a\ndescription: '  '", "its description is empty");
  await refused("name: 123\ndescription: x", "its name must be text, not the number 123", "123");
  await refused("name: a\ndescription: [x]", "its description must be text, not a list");
  await refused("", "its front matter is empty");
  await refused("just text", 'must be lines of the form "name: value"');
  await refused("- name: a", 'must be lines of the form "name: value"');
  await refused("name: a\nname: a\ndescription: x", "duplicated mapping key");
  await refused("name: a\ndescription: !!js/function x", "unknown scalar tag");
});

Deno.test("S1 parseHeader() wants the name of the folder, in any case, and a plain one", async () => {
  assertEquals((await read("name: Pdf-Tools\ndescription: x", "pdf-tools")).name, "Pdf-Tools");
  assertEquals((await read("name: yes\ndescription: x", "yes")).name, "yes");
  await refused(
    "name: b\ndescription: x",
    'its name is "b" but its folder "a"; they must be the same',
  );
  for (
    const name of ["a b", "a--b", "Bad_Name", "a-_b", "-a", "../a", "a/b", "é", "x".repeat(65)]
  ) {
    await refused(`name: "${name}"\ndescription: x`, "letters and digits", name);
  }
});

Deno.test("S1 parseHeader() only remarks on fields that nothing depends on", async () => {
  const { remarks } = await read(
    "name: a\ndescription: x\nlicense: [MIT]\ncompatibility: 1\nmetadata: v\nversion: 2",
  );
  assertEquals(remarks, [
    "its license is a list where text belongs; it is ignored",
    "its compatibility is the number 1 where text belongs; it is ignored",
    "its metadata is text where a mapping belongs; it is ignored",
  ]);
  const fine = "name: a\ndescription: x\nlicense: MIT\nmetadata: {author: me}";
  assertEquals((await read(fine)).remarks, []);
});

Deno.test("S1 B66 parseHeader() bounds aliases and depth", async () => {
  const share = (n: number) => `[${Array(9).fill(`*b${n}`).join()}]`;
  const bomb = Array.from({ length: 20 }, (_, n) => `b${n + 1}: &b${n + 1} ${share(n)}`).join("\n");
  const start = "name: a\ndescription: x\nb0: &b0 [y]\n";
  await refused(`${start}${bomb}`, "its front matter is no valid YAML");
  await refused(`name: a\nx: ${"[".repeat(20_000)}`, "its front matter is no valid YAML");
  const { name } = await read("name: &n a\ndescription: x\nmetadata: {again: *n}");
  assertEquals(name, "a");
});
