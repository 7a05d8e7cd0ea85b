import { join } from "@std/path";
import { talk } from "../../../scripts/bench/talk.ts";
import { writeTape } from "../../../scripts/bench/tape_writer.ts";
import type { EntryDraft } from "../../../lib/tape/entry.ts";
import { FileTapeStore } from "../../../lib/tape/file_store.ts";
import { assertEquals } from "../../assert.ts";
import { temporaryFolder } from "../../tape/temporary_folder.ts";

Deno.test("writeTape() writes what the store reads, more than a piece of it, the same each time", async () => {
  await using folder = await temporaryFolder();
  const size = await writeTape(join(folder.path, "a.jsonl"), talk(12_345, "Hello"));
  assertEquals((await Deno.stat(join(folder.path, "a.jsonl"))).size, size);
  const damages: string[] = [];
  const store = new FileTapeStore(folder.path, { onDamage: ({ reason }) => damages.push(reason) });
  const entries = await Array.fromAsync(store.read("a", "oldest"));
  assertEquals(entries.map(({ id }) => id), Array.from({ length: 12_346 }, (_, n) => n + 1));
  assertEquals([entries[0]?.payload.name, entries[1]?.payload.content], ["session/start", "Hello"]);
  const again = Array.from(talk(12_345, "Hello"), draft).slice(1);
  assertEquals(entries.map(draft).slice(2), again);
  assertEquals(damages, []);
});

function draft({ kind, payload, meta }: EntryDraft) {
  return { kind, payload, meta };
}
