import { join } from "@std/path";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { all, testTapeStore } from "../contract/tape_store.ts";
import { BubError } from "../../lib/errors.ts";
import { anchorEntry, type EntryDraft, messageEntry } from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { rawLines, temporaryFolder } from "./temporary_folder.ts";

testTapeStore("FileTapeStore", async () => {
  const folder = await temporaryFolder();
  const store = new FileTapeStore(join(folder.path, "tapes"));
  return {
    store,
    async [Symbol.asyncDispose]() {
      store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
});

const user = (content: string): EntryDraft => messageEntry({ role: "user", content });

Deno.test({
  name: "TP1 folders are made with mode 0700 and files with 0600, whatever the umask",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home", ".bub");
    const old = Deno.umask(0o777);
    try {
      const store = new FileTapeStore(join(home, "tapes"));
      await store.append("a", [user("one")]);
      const kept = await store.reset("a", [user("two")], { archive: true });
      store.close();
      const mode = async (...path: string[]) =>
        ((await Deno.stat(join(home, ...path))).mode ?? 0) & 0o777;
      assertEquals(await mode(), 0o700);
      assertEquals(await mode("tapes"), 0o700);
      assertEquals(await mode("tapes", "a.jsonl"), 0o600);
      assertEquals(await mode("tapes", `${kept}`), 0o600);
    } finally {
      Deno.umask(old);
    }
  },
});

Deno.test("TP1 each entry is one line of JSON with the five fields in order", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  await store.append("a", [user("one"), anchorEntry("x")]);
  const lines = await rawLines(folder.path, "a");
  assertEquals(lines.length, 3);
  assertEquals(lines[2], "");
  assertEquals(Object.keys(JSON.parse(lines[0] ?? "")), ["id", "kind", "payload", "meta", "date"]);
});

Deno.test("B42 a tape that was removed or replaced under an open store goes on in its place", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  const path = join(folder.path, "a.jsonl");
  await store.append("a", [user("one"), user("two")]);
  await Deno.remove(path);
  assertEquals((await store.append("a", [user("new")])).map(({ id }) => id), [1]);
  await Deno.writeTextFile(join(folder.path, "other"), '{"id": 41, "kind": "event"}\n');
  await Deno.rename(join(folder.path, "other"), path);
  assertEquals((await store.append("a", [user("next")])).map(({ id }) => id), [42]);
  await Deno.rename(path, join(folder.path, "moved"));
  assertEquals((await store.append("a", [user("last")])).map(({ id }) => id), [1]);
  assertEquals((await all(store, "a")).length, 1);
});

Deno.test("B42 one store notices at once what another one does to the same tape", async () => {
  await using folder = await temporaryFolder();
  using one = opened(folder.path);
  using other = opened(folder.path);
  for (let n = 1; n < 6; n += 2) {
    assertEquals((await one.append("a", [user("one")])).map(({ id }) => id), [n]);
    assertEquals((await other.append("a", [user("other")])).map(({ id }) => id), [n + 1]);
  }
  await other.reset("a", [user("reset")]);
  assertEquals((await one.append("a", [user("one")])).map(({ id }) => id), [2]);
  await other.remove("a");
  assertEquals((await one.append("a", [user("one")])).map(({ id }) => id), [1]);
});

Deno.test("TP3 hundreds of tapes do not use up file descriptors", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  for (let round = 1; round <= 2; round++) {
    for (let n = 0; n < 150; n++) {
      const [entry] = await store.append(`tape-${n}`, [user("x")]);
      assertEquals(entry?.id, round);
    }
  }
  if (Deno.build.os !== "linux") return;
  // Other tests run in this process and have files and sockets of their own.
  const targets = await Promise.all(
    await Array.fromAsync(
      Deno.readDir("/proc/self/fd"),
      ({ name }) => Deno.readLink(`/proc/self/fd/${name}`).catch(() => ""),
    ),
  );
  const open = targets.filter((target) => target.startsWith(folder.path)).length;
  assert(open > 0 && open < 150, `${open} descriptors are open`);
});

Deno.test("TP10 B47 three archives within one second keep three contents", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  const contents: string[] = [];
  for (const text of ["one", "two", "three"]) {
    await store.append("a", [user(text)]);
    const before = await Deno.readTextFile(join(folder.path, "a.jsonl"));
    const kept = await store.reset("a", [user("start")], { archive: true });
    assertEquals(await Deno.readTextFile(join(folder.path, `${kept}`)), before);
    contents.push(before);
  }
  assertEquals(new Set(contents).size, 3);
  assertEquals((await store.list()).map(({ name }) => name), ["a"]);
  assertEquals((await Array.fromAsync(Deno.readDir(folder.path))).length, 4);
});

Deno.test("TP3 a tape that cannot be opened is a storage error that names it", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "file"), "");
  using store = opened(join(folder.path, "file"));
  const error = await assertRejects(() => store.append("a", [user("x")]), BubError, 'tape "a"');
  assertEquals(error.kind, "storage");
  if (Deno.build.os !== "windows") {
    await Deno.symlink(join(folder.path, "nowhere", "else"), join(folder.path, "c.jsonl"));
    using third = opened(folder.path);
    const link = await assertRejects(() => third.append("c", [user("x")]), BubError, '"c"');
    assertEquals(link.kind, "storage");
  }
  await Deno.mkdir(join(folder.path, "b.jsonl"));
  using other = opened(folder.path);
  const folderError = await assertRejects(() => other.append("b", [user("x")]), BubError, '"b"');
  assertEquals(folderError.kind, "storage");
});

Deno.test({
  name: "B19 B73 TP3 a tape that is a pipe, a device or a folder is refused unopened, by its path",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    using store = opened(folder.path);
    const path = (tape: string) => join(folder.path, `${tape}.jsonl`);
    await new Deno.Command("mkfifo", { args: [path("p")] }).output();
    await Deno.symlink("/dev/zero", path("d"));
    await Deno.mkdir(path("f"));
    for (const [tape, what] of [["p", "a named pipe"], ["d", "a device"], ["f", "a folder"]]) {
      const words = `${path(tape ?? "")} is ${what}, not a regular file`;
      for (
        const use of [
          () => Array.fromAsync(store.read(`${tape}`, "newest")),
          () => store.info(`${tape}`),
          () => store.append(`${tape}`, [user("x")]),
          () => store.reset(`${tape}`, [user("x")], { archive: true }),
        ]
      ) {
        const error = await assertRejects<BubError>(use, BubError, words);
        assertEquals(error.kind, "storage");
      }
    }
  },
});

Deno.test("B44 a line of 60 MB is written, read from both ends, and passed over quickly", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  const huge = "größer ".repeat(7_500_000);
  await store.append("a", [user("before"), user(huge), anchorEntry("x"), user("after")]);
  const again = opened(folder.path);
  assertEquals((await again.append("a", [user("next")])).map(({ id }) => id), [5]);
  for (const order of ["oldest", "newest"] as const) {
    const entries = await all(again, "a", order);
    const ids = [1, 2, 3, 4, 5];
    assertEquals(entries.map(({ id }) => id), order === "oldest" ? ids : ids.reverse());
    assert(entries.find(({ id }) => id === 2)?.payload.content === huge, order);
  }
  assertEquals((await new Tape(again, "a").context()).map(({ content }) => content), [
    "after",
    "next",
  ]);
  again.close();
});

Deno.test("TP5 the context after a late anchor reads only the tape's end", async () => {
  await using folder = await temporaryFolder();
  // Nothing but a hole of 8 GiB before it: reading that would take seconds, and be damage.
  const path = join(folder.path, "a.jsonl");
  const damages: unknown[] = [];
  using store = opened(folder.path, (damage) => damages.push(damage));
  await Deno.writeTextFile(path, "");
  await Deno.truncate(path, 8 * 2 ** 30);
  await Deno.writeTextFile(path, '\n{"id": 1000000, "kind": "event"}\n', { append: true });
  const tape = new Tape(store, "a");
  await tape.append(anchorEntry("x"));
  for (let n = 0; n < 100; n++) await tape.append(user(`${n}`));
  const context = await tape.context();
  assertEquals(context.length, 100);
  assertEquals(context[99]?.content, "99");
  assertEquals(damages, []);
});

Deno.test("TP3 list() passes over what are no tapes", async () => {
  await using folder = await temporaryFolder();
  using store = opened(folder.path);
  assertEquals(await opened(join(folder.path, "missing")).list(), []);
  await store.append("a", [user("x")]);
  for (const name of ["a.lock", "a.jsonl.20260101T000000Z.bak", "notes.txt", "empty.jsonl"]) {
    await Deno.writeTextFile(join(folder.path, name), "");
  }
  await Deno.mkdir(join(folder.path, "folder.jsonl"));
  const [tape, ...others] = await store.list();
  assertEquals(others, []);
  assertEquals(tape?.name, "a");
  assertEquals(tape?.size, (await Deno.stat(join(folder.path, "a.jsonl"))).size);
  assertStringIncludes(`${tape?.modified?.toISOString()}`, "T");
});

function opened(folder: string, onDamage: (damage: unknown) => void = () => {}) {
  const store = new FileTapeStore(folder, { onDamage });
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}
