import { join } from "@std/path";
import { BubError } from "../../lib/errors.ts";
import { FileMediaStore } from "../../lib/tape/file_media_store.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../assert.ts";
import { sampleMedia, testMediaStore } from "../contract/media_store.ts";
import { temporaryFolder } from "./temporary_folder.ts";

async function open() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "home", "media");
  return {
    path,
    store: new FileMediaStore(path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function files(path: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  return names.filter((name) => name !== ".lock").sort();
}

testMediaStore("FileMediaStore", open);

Deno.test("TP1 TP12 put() makes one file of mode 0600, in a folder of mode 0700", async () => {
  await using opened = await open();
  const { sha256 } = await opened.store.put(sampleMedia("abc"));
  await opened.store.put(sampleMedia("abc", "another label"));
  assertEquals(await files(opened.path), [sha256]);
  if (Deno.build.os === "windows") return;
  const mode = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
  assertEquals([await mode(opened.path), await mode(join(opened.path, sha256))], [0o700, 0o600]);
});

Deno.test("TP12 a file that was cut short counts as missing until the bytes are put again", async () => {
  await using opened = await open();
  const reference = await opened.store.put(sampleMedia("abcdef"));
  await Deno.truncate(join(opened.path, reference.sha256), 3);
  assertEquals(await opened.store.get(reference), null);
  await opened.store.put(sampleMedia("abcdef"));
  assertEquals(await opened.store.get(reference), new TextEncoder().encode("abcdef"));
});

Deno.test("TP12 put() into a folder that cannot be made rejects with storage and leaves nothing", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "home"), "a file");
  const store = new FileMediaStore(join(folder.path, "home", "media"));
  const error = await assertRejects(() => store.put(sampleMedia("abc")), BubError);
  assertEquals(error.kind, "storage");
  assertMatch(error.message, /^media cannot be kept: /);
  assertEquals(await files(folder.path), ["home"]);
});

Deno.test("TP12 list() has every medium with its size, and nothing else of the folder", async () => {
  await using opened = await open();
  assertEquals(await opened.store.list(), [], "no folder");
  const { sha256 } = await opened.store.put(sampleMedia("abc"));
  await Deno.writeTextFile(join(opened.path, "notes.txt"), "mine");
  const [stored, ...more] = await opened.store.list();
  assertEquals([stored?.sha256, stored?.size, more.length], [sha256, 3, 0]);
  assert(stored?.modified instanceof Date);
  await opened.store.remove(sha256);
  await opened.store.remove(sha256);
  assertEquals(await opened.store.list(), []);
});

Deno.test("TP12 sweep() removes garbage and what crashes left, and keeps the rest", async () => {
  await using opened = await open();
  const good = await opened.store.put(sampleMedia("good"));
  const bad = await opened.store.put(sampleMedia("bad"));
  await Deno.writeTextFile(join(opened.path, `.${crypto.randomUUID()}.tmp`), "torn");
  await Deno.writeTextFile(join(opened.path, "notes.txt"), "mine");
  const swept = await opened.store.sweep(() =>
    Promise.resolve(({ sha256 }) => sha256 !== good.sha256)
  );
  assertEquals(swept.map(({ sha256 }) => sha256), [bad.sha256]);
  assertEquals(await files(opened.path), [good.sha256, "notes.txt"].sort());
});

Deno.test("TP12 sweep() waits for who holds media, and sees what they wrote", async () => {
  await using opened = await open();
  await opened.store.put(sampleMedia("old"));
  const recorded: string[] = [];
  const hold = await opened.store.hold();
  const reference = await opened.store.put(sampleMedia("fresh"));
  const sweeping = new FileMediaStore(opened.path).sweep(() => {
    // What is on the tapes is looked up only now: the holder has written it before it let go.
    const known = [...recorded];
    return Promise.resolve(({ sha256 }) => !known.includes(sha256));
  });
  // Time enough to sweep, if nothing held it back.
  for (let turns = 0; turns < 200; turns++) await Deno.stat(opened.path);
  recorded.push(reference.sha256);
  hold[Symbol.dispose]();
  assertEquals((await sweeping).map(({ size }) => size), [3]);
  assertEquals(await opened.store.get(reference), new TextEncoder().encode("fresh"));
});
