import { SpillTape } from "../../lib/spill/spill_tape.ts";
import { ToolRegistry } from "../../lib/tool/registry.ts";
import { spillRead } from "../../tools/spill.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { Workbench } from "../tool/workbench.ts";

Deno.test("SP2 spill.read returns content, next_cursor and complete, one chunk unless told", async () => {
  await using bench = await Workbench.open(new ToolRegistry([spillRead]));
  const chunks = ["a", "b", "c"].map((letter) => letter.repeat(16 * 1024));
  const { handle } = await new SpillTape(bench.context.tape).store(chunks.join(""), {});
  const read = async (args: Record<string, unknown>) =>
    (await bench.call("spill_read", JSON.stringify({ handle, ...args }))).value;
  assertEquals(await read({}), { content: chunks[0], next_cursor: 1, complete: false });
  assertEquals(await read({ cursor: 1, count: 9 }), {
    content: `${chunks[1]}${chunks[2]}`,
    next_cursor: 3,
    complete: true,
  });
  assertEquals(await read({ from_end: true, count: 2 }), {
    content: `${chunks[1]}${chunks[2]}`,
    next_cursor: 2,
    complete: false,
  });
});

Deno.test("SP2 spill.read refuses unknown handles and impossible places clearly", async () => {
  await using bench = await Workbench.open(new ToolRegistry([spillRead]));
  const unknown = await bench.call("spill_read", '{"handle":"abc"}');
  assertStringIncludes(unknown.text, '"kind":"not_found"');
  assertStringIncludes(unknown.text, "32 hex digits");
  for (const place of ['"cursor":-1', '"count":0', '"count":1.5']) {
    const { text } = await bench.call("spill_read", `{"handle":"abc",${place}}`);
    assertStringIncludes(text, '"kind":"invalid_input"');
  }
});
