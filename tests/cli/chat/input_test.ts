import { type ChatInput, Queue, readLines } from "../../../lib/cli/chat/input.ts";
import { assertEquals } from "../../assert.ts";

Deno.test("readLines() finds lines wherever pieces are cut, and the last one without an end", async () => {
  const bytes = new TextEncoder().encode("one\r\ntwö\n\nthree");
  const inputs: ChatInput[] = [];
  let at = 0;
  await readLines({
    read(buffer) {
      if (at === bytes.length) return Promise.resolve(null);
      buffer.set(bytes.subarray(at, ++at));
      return Promise.resolve(1);
    },
  }, (input) => inputs.push(input));
  const lines = inputs.map((input) => input.type === "line" ? input.text : input.type);
  assertEquals(lines, ["one", "twö", "", "three", "end"]);
});

Deno.test("B72 Queue drops what is pushed once nobody takes values any more", async () => {
  const queue = new Queue<number>();
  queue.push(1);
  for await (const value of queue) {
    assertEquals(value, 1);
    break;
  }
  queue.push(2);
});
