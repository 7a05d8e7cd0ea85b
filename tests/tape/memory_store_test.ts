import { assertEquals } from "../assert.ts";
import { testTapeStore } from "../contract/tape_store.ts";
import { messageEntry } from "../../lib/tape/entry.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";

testTapeStore("MemoryTapeStore", () => {
  const store = new MemoryTapeStore();
  return Promise.resolve({
    store,
    [Symbol.asyncDispose]: () => Promise.resolve(store.close()),
  });
});

Deno.test("MemoryTapeStore TP10 archives hold what was reset", async () => {
  const store = new MemoryTapeStore();
  const entries = await store.append("a", [messageEntry({ role: "user", content: "kept" })]);
  const name = await store.reset("a", [], { archive: true });
  assertEquals([...store.archives], [[name ?? "", entries]]);
});
