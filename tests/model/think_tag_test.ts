import { type Said, ThinkTag } from "../../lib/model/think_tag.ts";
import { assertEquals } from "../assert.ts";

/** What comes of a text that arrives in pieces of `size`: reasoning and answer. */
function told(text: string, size: number): readonly [string, string] {
  const tag = new ThinkTag();
  const said: Said[] = [];
  for (let at = 0; at < text.length; at += size) said.push(...tag.push(text.slice(at, at + size)));
  said.push(...tag.end());
  const join = (type: Said["type"]) =>
    said.filter((piece) => piece.type === type).map((piece) => piece.text).join("");
  return [join("reasoning"), join("text")];
}

Deno.test("B35 ThinkTag tells reasoning from the answer, however the text is cut", () => {
  const cases: [string, string, string][] = [
    ["<think>hm</think>\n\nyes", "hm", "yes"],
    ["\n<think>a < b </thin</think>yes <think>no</think>", "a < b </thin", "yes <think>no</think>"],
    ["yes <think>not first</think>", "", "yes <think>not first</think>"],
    ["<thing>x", "", "<thing>x"],
    ["<think>never closed", "never closed", ""],
    ["<think></think>", "", ""],
    ["<thi", "", "<thi"],
    ["  indented", "", "  indented"],
    ["", "", ""],
  ];
  for (const [text, reasoning, answer] of cases) {
    for (const size of [1, 2, 3, 7, 100]) {
      assertEquals(told(text, size), [reasoning, answer], `${JSON.stringify(text)} by ${size}`);
    }
  }
});

Deno.test("B35 ThinkTag hands text out as soon as it is certain", () => {
  const tag = new ThinkTag();
  assertEquals(tag.push("hello"), [{ type: "text", text: "hello" }]);
  assertEquals(tag.push("<"), [{ type: "text", text: "<" }]);
});
