import { assertEquals } from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { anchorEntry, messageEntry, SESSION_START, type TapeEntry } from "../../lib/tape/entry.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { entriesAfterAnchor } from "../../lib/tape/query.ts";
import { RecentEntries } from "../../lib/tape/recent_entries.ts";
import type { TapeOrder } from "../../lib/tape/store.ts";

const user = (content: string) => messageEntry({ role: "user", content });

/** A store that counts the entries it hands out. */
class CountingStore extends MemoryTapeStore {
  count = 0;

  override async *read(tape: string, order: TapeOrder): AsyncGenerator<TapeEntry, void, void> {
    for await (const entry of super.read(tape, order)) {
      this.count++;
      yield entry;
    }
  }
}

/** Reads as the kernel does, and compares with what a first look finds. */
function opened() {
  const store = new CountingStore();
  const recent = new RecentEntries(store, "t");
  return {
    store,
    async check(): Promise<number> {
      store.count = 0;
      const entries = await recent.read();
      const { count } = store;
      assertEquals(entries, await entriesAfterAnchor(store, "t", "last"));
      return count;
    },
  };
}

Deno.test("TP5 RecentEntries reads what is new since the last time, and one entry more", async () => {
  const { store, check } = opened();
  await store.append("t", [SESSION_START, ...Array.from({ length: 50 }, (_, n) => user(`${n}`))]);
  assertEquals(await check(), 51);
  assertEquals(await check(), 1);
  await store.append("t", [user("a"), user("b")]);
  assertEquals(await check(), 3);
  assertEquals(await check(), 1);
});

Deno.test("TP5 RecentEntries notices the anchors and the resets of others", async () => {
  const { store, check } = opened();
  await check();
  await store.append("t", [user("without an anchor")]);
  await check();
  await store.append("t", [SESSION_START, user("one"), user("two")]);
  await check();
  await store.append("t", [user("three"), anchorEntry("x")]);
  await check();
  await store.append("t", [user("four")]);
  await check();
  await store.append("t", [user("five"), anchorEntry("y"), user("six")]);
  await check();
  await store.reset("t", [SESSION_START]);
  await check();
  await store.append("t", [user("seven")]);
  await check();
  await store.remove("t");
  await check();
});

Deno.test("TP10 RecentEntries does not take a tape that was reset and grew again for the old one", async () => {
  const { store, check } = opened();
  const dated = (content: string, second: number) => ({
    ...user(content),
    date: `2026-12-01T00:00:0${second}.000+00:00`,
  });
  await store.append("t", [SESSION_START, dated("old 2", 1), dated("old 3", 2)]);
  await check();
  await store.reset("t", [SESSION_START, dated("new 2", 3), dated("new 3", 4), dated("new 4", 5)]);
  await check();
  assertEquals((await all(store, "t")).length, 4);
});

Deno.test("TP5 RecentEntries may be asked twice at once", async () => {
  const store = new MemoryTapeStore();
  const recent = new RecentEntries(store, "t");
  await store.append("t", [SESSION_START, user("one")]);
  await recent.read();
  await store.append("t", [user("two")]);
  const [a, b] = await Promise.all([recent.read(), recent.read()]);
  assertEquals(a, b);
  assertEquals((await recent.read()).map(({ id }) => id), [2, 3]);
});
