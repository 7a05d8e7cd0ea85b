import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import type { JsonObject } from "../../lib/json.ts";
import { anchorEntry, eventEntry, messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { tapeInfo } from "../../lib/tape/info.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import type { TapeInfo, TapeStore } from "../../lib/tape/store.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const user = messageEntry({ role: "user", content: 'a "kind":"anchor" that is none' });
const run = (usage?: JsonObject) =>
  eventEntry("run", { status: "ok", ...(usage === undefined ? {} : { usage }) });
const tokens = (total_tokens: number, prompt_tokens: number, cached_tokens: number) => ({
  total_tokens,
  prompt_tokens,
  prompt_tokens_details: { cached_tokens },
});

/** The facts by the common way, which reads every entry, and by that of the file store. */
async function bothInfos(store: FileTapeStore, tape: string): Promise<TapeInfo> {
  const plain: TapeStore = {
    append: (...args) => store.append(...args),
    read: (...args) => store.read(...args),
    list: () => store.list(),
    remove: (...args) => store.remove(...args),
    reset: (...args) => store.reset(...args),
    close: () => store.close(),
  };
  const info = await tapeInfo(store, tape);
  assertEquals(await tapeInfo(plain, tape), info);
  return info;
}

Deno.test("TP6 TP1 the facts of a Python tape are those that Python derives", async () => {
  const fixture = new URL("../fixtures/python_bub/", import.meta.url);
  const { info } = JSON.parse(await Deno.readTextFile(new URL("expected.json", fixture)));
  await using folder = await temporaryFolder();
  const name = `${info.name}.jsonl`;
  await Deno.copyFile(new URL(name, fixture), join(folder.path, name));
  assertEquals(await bothInfos(new FileTapeStore(folder.path), info.name), info);
});

Deno.test("TP6 anchors, entries since the last one, and the newest usage are found", async () => {
  const store = new MemoryTapeStore();
  await store.append("t", [
    SESSION_START,
    user,
    run(tokens(150, 120, 60)),
    anchorEntry("phase-1"),
    user,
    run(tokens(220, 200, 150)),
    run(),
    eventEntry("handoff", { usage: { total_tokens: 9 } }),
  ]);
  assertEquals(await tapeInfo(store, "t"), {
    name: "t",
    entries: 8,
    anchors: 2,
    last_anchor: "phase-1",
    entries_since_last_anchor: 4,
    last_token_usage: 220,
    last_token_cache_hit_rate: 0.75,
  });
});

Deno.test("TP6 what is not known is null, and a tape that is not there is empty", async () => {
  const store = new MemoryTapeStore();
  const nothing = {
    name: "t",
    entries: 0,
    anchors: 0,
    last_anchor: null,
    entries_since_last_anchor: 0,
    last_token_usage: null,
    last_token_cache_hit_rate: null,
  };
  assertEquals(await tapeInfo(store, "t"), nothing);
  await using folder = await temporaryFolder();
  assertEquals(await tapeInfo(new FileTapeStore(folder.path), "t"), nothing);
  await store.append("t", [run({ total_tokens: 5, prompt_tokens: 0 }), user]);
  assertEquals(await tapeInfo(store, "t"), {
    ...nothing,
    entries: 2,
    entries_since_last_anchor: 2,
    last_token_usage: 5,
  });
});

Deno.test("TP6 B40 damaged lines, old forms and unknown kinds are counted as a reader sees them", async () => {
  await using folder = await temporaryFolder();
  const lines = [
    '{"id": 1, "kind": "anchor", "payload": {"name": "a"}, "timestamp": 1764561362}',
    '{"id":2,"kind":"message","payload":{"role":"user","content":"cut off',
    '{"id":2,"kind":"event","payload":{"data":{"usage":{"total_tokens":7}},"name":"run"},"meta":{},"date":"2026-12-01T00:00:00.000+00:00"}',
    "",
    "\0\0\0",
    '{"id":3,"kind":"note","payload":{"name":"run"},"meta":{},"date":"2026-12-01T00:00:00.000+00:00"}',
    '{"id": 4, "kind": "message", "payload": {"role": "user"}, "meta": {}, "date": "2026-12-01T00:00:00.761650+00:00", "extra": 1}',
    '{"id": 5, "kind": "message", "payload": {}, "meta": {}, "date": "2026-12-01T00:00:00.7616',
  ];
  await Deno.writeTextFile(join(folder.path, "t.jsonl"), lines.join("\n"));
  const info = await bothInfos(new FileTapeStore(folder.path), "t");
  assertEquals([info.entries, info.last_anchor, info.entries_since_last_anchor], [4, "a", 3]);
  assertEquals(info.last_token_usage, 7);
});

Deno.test("TP6 the facts of a long tape are found without the whole of it in memory", async () => {
  await using folder = await temporaryFolder();
  const line = JSON.stringify({
    ...{ id: 2, kind: "message", payload: { role: "user", content: "x".repeat(10_000) } },
    ...{ meta: {}, date: "2026-12-01T00:00:00.000+00:00" },
  });
  using file = await Deno.open(join(folder.path, "t.jsonl"), { create: true, append: true });
  const block = new TextEncoder().encode(`${line}\n`.repeat(800));
  for (let n = 0; n < 32; n++) file.writeSync(block);
  const store = new FileTapeStore(folder.path);
  const before = Deno.memoryUsage().external;
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, Deno.memoryUsage().external - before), 5);
  const { entries } = await tapeInfo(store, "t");
  clearInterval(watch);
  assertEquals(entries, 32 * 800);
  // Half of the file: blocks that are done with wait for the garbage collector.
  assert(most < 128 * 2 ** 20, `${most} bytes`);
});
