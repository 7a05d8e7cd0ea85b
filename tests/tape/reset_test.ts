import { join } from "@std/path";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { BubError } from "../../lib/errors.ts";
import { eventEntry, messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { readTapeFile } from "../../lib/tape/recording_file.ts";
import { sidecarsOf } from "../../lib/tape/sidecar.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const user = (content: string) => messageEntry({ role: "user", content });

/** A store that refuses to archive, or to reset at all, what `refused` names. */
class RefusingStore extends MemoryTapeStore {
  constructor(readonly refused: string) {
    super();
  }

  override reset(...[tape, drafts, options]: Parameters<MemoryTapeStore["reset"]>) {
    if (tape !== this.refused) return super.reset(tape, drafts, options);
    return Promise.reject(new BubError("storage", `no room for ${tape}`));
  }
}

async function filled(store: MemoryTapeStore | FileTapeStore): Promise<Tape> {
  const tape = new Tape(store, "t");
  await tape.append(user("one"));
  await tape.sidecar("spill").append(eventEntry("spill.chunk", { content: "long" }));
  await tape.sidecar("notes").append(eventEntry("note"));
  await new Tape(store, "tt").sidecar("spill").append(eventEntry("of another tape"));
  return tape;
}

Deno.test("TP10 reset() empties the tape and its sidecars and starts anew", async () => {
  const tape = await filled(new MemoryTapeStore());
  assertEquals(await tape.reset({ archive: false }), { archives: [], kept: [] });
  const entries = await all(tape.store, "t");
  assertEquals(entries.map(({ id, payload }) => [id, payload]), [[1, SESSION_START.payload]]);
  assertEquals(await sidecarsOf(tape.store, "t"), []);
  assertEquals((await sidecarsOf(tape.store, "tt")).map(({ label }) => label), ["spill"]);
});

Deno.test("TP10 reset() with archive keeps the tape and its sidecars in files of their own", async () => {
  await using folder = await temporaryFolder();
  const tape = await filled(new FileTapeStore(folder.path));
  const before = await Deno.readTextFile(join(folder.path, "t.jsonl"));
  const { archives, kept } = await tape.reset({ archive: true });
  assertEquals(kept, []);
  assertEquals(archives.length, 3);
  assertMatch(archives[0] ?? "", /^t\.jsonl\.\d{8}T\d{6}Z\.bak$/);
  assertMatch(archives[1] ?? "", /^t__sidecar__notes\.jsonl\./);
  assertMatch(archives[2] ?? "", /^t__sidecar__spill\.jsonl\./);
  assertEquals(await Deno.readTextFile(join(folder.path, archives[0] ?? "")), before);
  const found = await Array.fromAsync(readTapeFile(join(folder.path, archives[2] ?? "")));
  assertEquals(found.at(-1)?.payload.data, { content: "long" });
  tape.store.close();
});

Deno.test("TP10 reset() leaves no empty files of sidecars, which work on after it", async () => {
  await using folder = await temporaryFolder();
  const tape = await filled(new FileTapeStore(folder.path));
  const other = new FileTapeStore(folder.path);
  await other.append("t__sidecar__spill", [eventEntry("of another process")]);
  await tape.reset({ archive: false });
  const files = await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name);
  assertEquals(files.sort(), ["t.jsonl", "tt__sidecar__spill.jsonl"]);
  for (const store of [other, tape.store]) {
    await store.append("t__sidecar__spill", [eventEntry("again")]);
  }
  assertEquals((await all(tape.store, "t__sidecar__spill")).map(({ id }) => id), [1, 2]);
  for (const store of [other, tape.store]) store.close();
});

Deno.test("TP10 when the tape itself cannot be archived nothing is reset", async () => {
  const tape = await filled(new RefusingStore("t"));
  const error = await assertRejects(() => tape.reset({ archive: true }), BubError, "no room for t");
  assertEquals(error.kind, "storage");
  assertEquals((await all(tape.store, "t")).length, 2);
  assertEquals((await sidecarsOf(tape.store, "t")).length, 2);
});

Deno.test("TP10 a sidecar that fails is kept, an event says so, and the rest goes on", async () => {
  const tape = await filled(new RefusingStore("t__sidecar__notes"));
  const { archives, kept } = await tape.reset({ archive: true });
  assertEquals(archives.length, 2);
  assertEquals(kept, [{ sidecar: "notes", reason: "no room for t__sidecar__notes" }]);
  assertEquals((await sidecarsOf(tape.store, "t")).map(({ label }) => label), ["notes"]);
  const [start, event, ...others] = await all(tape.store, "t");
  assertEquals(others, []);
  assertEquals(start?.payload, SESSION_START.payload);
  assertEquals(event?.payload, {
    name: "sidecar.error",
    data: { sidecar: "notes", operation: "reset", message: "no room for t__sidecar__notes" },
  });
  assertEquals(await tape.context(), []);
});

Deno.test("TP10 B47 three archives within a second, of sessions alike in name, keep all contents", async () => {
  await using folder = await temporaryFolder();
  const store = new FileTapeStore(folder.path);
  const names = new Set<string>();
  for (const name of ["0123456789abcdef__aaaaaaaa00000001", "0123456789abcdef__aaaaaaaa00000002"]) {
    const tape = new Tape(store, name);
    for (const text of ["one", "two", "three"]) {
      await tape.append(user(`${name} ${text}`));
      const [archive = ""] = (await tape.reset({ archive: true })).archives;
      assertStringIncludes(await Deno.readTextFile(join(folder.path, archive)), `${name} ${text}`);
      names.add(archive);
    }
  }
  assertEquals(names.size, 6);
  for (const archive of names) {
    assertEquals((await Array.fromAsync(readTapeFile(join(folder.path, archive)))).length, 2);
  }
  store.close();
});

Deno.test("TP10 an empty session can be reset", async () => {
  const tape = new Tape(new MemoryTapeStore(), "t");
  assertEquals(await tape.reset({ archive: true }), { archives: [], kept: [] });
  assertEquals((await all(tape.store, "t")).length, 1);
});

Deno.test("TP10 sidecars are no part of the context, and take no other sidecar", async () => {
  const tape = await filled(new MemoryTapeStore());
  assertEquals((await tape.context(null)).map(({ content }) => content).slice(1), ["one"]);
  assert(tape.sidecar("spill").name.endsWith("__sidecar__spill"));
  for (const bad of [() => tape.sidecar("../x"), () => tape.sidecar("spill").sidecar("x")]) {
    assertEquals((await assertRejects(() => Promise.try(bad), BubError)).kind, "invalid_input");
  }
});
