import { BubError } from "../../lib/errors.ts";
import { codeArguments } from "../../lib/tool/code_arguments.ts";
import { argumentsSchema } from "../../lib/tool/schema.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { info, read } from "./sample_tools.ts";

const given = (text: string, tool = read) =>
  codeArguments(tool.name, text, () => argumentsSchema(tool));

Deno.test("C2 an object is the parameters, nothing is none, any other value is the first one", async () => {
  assertEquals(await given('{"path": "a", "offset": 2}'), { path: "a", offset: 2 });
  for (const text of ["{}", "null", ""]) assertEquals(await given(text), {}, text);
  assertEquals(await given('"a.txt"'), { path: "a.txt" });
  assertEquals(await given("[1, 2]"), { path: [1, 2] });
  assertEquals(await given("false"), { path: false });
});

Deno.test("C2 a value for a tool without parameters, and what is no JSON, is an error", async () => {
  const needless = await assertRejects(() => given('"a"', info), BubError);
  assertEquals(
    [needless.kind, needless.message],
    ["invalid_input", 'tape.info takes no arguments, got "a"'],
  );
  const broken = await assertRejects(() => given("{"), BubError, "must be a JSON object");
  assertEquals(broken.kind, "invalid_input");
});
