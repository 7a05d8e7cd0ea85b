import { LineSplitter } from "../../lib/code/line_splitter.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("LineSplitter puts lines together from chunks that end anywhere", () => {
  const bytes = new TextEncoder().encode("one\n\nzwölf €\nrest");
  for (let size = 1; size <= bytes.length; size++) {
    const lines: string[] = [];
    const splitter = new LineSplitter(100);
    for (let at = 0; at < bytes.length; at += size) {
      assert(splitter.push(bytes.subarray(at, at + size), (line) => lines.push(line)));
    }
    assertEquals(lines, ["one", "", "zwölf €"]);
  }
});

Deno.test("LineSplitter refuses a line that is too long, ended or not", () => {
  const push = (text: string) => {
    const lines: string[] = [];
    const fits = new LineSplitter(4).push(
      new TextEncoder().encode(text),
      (line) => lines.push(line),
    );
    return [fits, ...lines];
  };
  assertEquals(push("1234\n1234"), [true, "1234"]);
  assertEquals(push("1\n12345"), [false, "1"]);
  assertEquals(push("1\n12345\n2\n"), [false, "1"]);
});
