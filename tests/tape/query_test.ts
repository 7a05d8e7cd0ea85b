import { assertEquals, assertRejects } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { anchorEntry, type EntryDraft, messageEntry } from "../../lib/tape/entry.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { entriesAfterAnchor, lastAnchor } from "../../lib/tape/query.ts";
import { Tape } from "../../lib/tape/tape.ts";

const DRAFTS: readonly EntryDraft[] = [
  anchorEntry("session/start"), // 1
  messageEntry({ role: "user", content: "one" }), // 2
  anchorEntry("phase"), // 3
  messageEntry({ role: "user", content: "two" }), // 4
  anchorEntry("phase"), // 5
  messageEntry({ role: "user", content: "three" }), // 6
  anchorEntry("handoff"), // 7
  messageEntry({ role: "user", content: "four" }), // 8
];

async function recorded(drafts: readonly EntryDraft[] = DRAFTS) {
  const store = new MemoryTapeStore();
  await store.append("t", drafts);
  const ids = async (anchor: string | null) =>
    (await entriesAfterAnchor(store, "t", anchor)).map(({ id }) => id);
  return { store, ids };
}

Deno.test("TP5 entriesAfterAnchor() starts behind the boundary anchor", async () => {
  const { ids } = await recorded();
  assertEquals(await ids("last"), [8]);
  assertEquals(await ids(null), [1, 2, 3, 4, 5, 6, 7, 8]);
  assertEquals(await ids("session/start"), [2, 3, 4, 5, 6, 7, 8]);
});

Deno.test("TP5 entriesAfterAnchor() takes the last of several anchors with one name", async () => {
  const { ids } = await recorded();
  assertEquals(await ids("phase"), [6, 7, 8]);
});

Deno.test("TP5 entriesAfterAnchor() without any anchor is the whole tape", async () => {
  const { ids } = await recorded([messageEntry({ role: "user", content: "one" })]);
  assertEquals(await ids("last"), [1]);
});

Deno.test("TP5 entriesAfterAnchor() names an anchor that is not there", async () => {
  const { ids } = await recorded();
  const error = await assertRejects(() => ids("pase"), BubError, '"pase"');
  assertEquals(error.kind, "not_found");
});

Deno.test("TP5 lastAnchor() is the newest, or the newest of a name", async () => {
  const { store } = await recorded();
  assertEquals((await lastAnchor(store, "t"))?.id, 7);
  assertEquals((await lastAnchor(store, "t", "phase"))?.id, 5);
  assertEquals(await lastAnchor(store, "t", "nowhere"), null);
  assertEquals(await lastAnchor(store, "unknown"), null);
});

Deno.test("TP5 Tape.context() shows what came after the last anchor, or all with anchor null", async () => {
  const { store } = await recorded();
  const tape = new Tape(store, "t");
  assertEquals(await tape.context(), [{ role: "user", content: "four" }]);
  assertEquals((await tape.context(null)).length, 8);
  assertEquals((await tape.context("phase")).map(({ content }) => content), [
    "three",
    "[Anchor created: handoff]: {}",
    "four",
  ]);
  assertEquals(await tape.context("last", () => []), []);
});

Deno.test("TP10 Tape.append() opens a new tape with its session/start anchor", async () => {
  const tape = new Tape(new MemoryTapeStore(), "new");
  await tape.append(messageEntry({ role: "user", content: "one" }));
  const entries = await Array.fromAsync(tape.read("oldest"));
  assertEquals(entries.map(({ kind }) => kind), ["anchor", "message"]);
  assertEquals(entries[0]?.payload, { name: "session/start", state: { owner: "human" } });
});
