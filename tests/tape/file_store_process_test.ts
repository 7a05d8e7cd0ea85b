import { join } from "@std/path";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { BubError } from "../../lib/errors.ts";
import { messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { FileTapeStore, type TapeDamage } from "../../lib/tape/file_store.ts";
import { childLines, startWriter } from "./child.ts";
import { rawLines, temporaryFolder } from "./temporary_folder.ts";

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "TP3 B42 eight processes append at once: ids ascend without gap, nothing is lost",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const children = Array.from({ length: 8 }, (_, n) => {
      const [count, repeat] = n < 7 ? ["700", "1"] : ["20", "100000"];
      return startWriter(["append", folder.path, "a", "text ", count, repeat]);
    });
    const damages: TapeDamage[] = [];
    const store = new FileTapeStore(folder.path, { onDamage: (met) => damages.push(met) });
    let running = true;
    const ended = Promise.all(children.map((child) => child.output()))
      .finally(() => running = false);
    // Whoever reads meanwhile sees whole entries, from the first one on.
    while (running) {
      const ids = (await all(store, "a")).map(({ id }) => id);
      assertEquals(ids, ids.map((_, index) => index + 1));
    }
    for (const { code } of await ended) assertEquals(code, 0);

    const entries = await all(store, "a");
    assertEquals(entries.length, 1 + 7 * 700 + 20);
    assert(entries.every(({ id }, index) => id === index + 1));
    assertEquals(damages, []);
    const byWriter = Map.groupBy(entries.slice(1), ({ payload }) => payload.writer);
    assertEquals(byWriter.size, 8);
    for (const written of byWriter.values()) {
      assert(written.every(({ payload }, index) => payload.n === index), "out of order");
    }
    assertEquals((await rawLines(folder.path, "a")).length, entries.length + 1);
  },
});

Deno.test({
  name: "TP3 a read waits for the line that another process is writing",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const child = startWriter(["slow", folder.path, "a"]);
    const lines = childLines(child)[Symbol.asyncIterator]();
    assertEquals((await lines.next()).value, "half");
    const store = new FileTapeStore(folder.path, {
      onDamage: ({ reason }) => assertEquals(reason, "none"),
    });
    assertEquals((await all(store, "a")).map(({ id }) => id), [1]);
    assertEquals((await lines.next()).done, true);
    assertEquals((await child.status).code, 0);
  },
});

Deno.test({
  name: "TP10 B42 archives taken while others append hold every entry once",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const burst = 100;
    const writers = Array.from({ length: 3 }, () => {
      const child = startWriter(["bursts", folder.path, "a", "x", `${burst}`]);
      const lines = childLines(child)[Symbol.asyncIterator]();
      return { child, lines, input: child.stdin.getWriter() };
    });
    const store = new FileTapeStore(folder.path);
    const kept: string[] = [];
    for (let round = 0; round < 4; round++) {
      await Promise.all(writers.map(({ input }) => input.write(new Uint8Array(1))));
      // From here on one is in the middle of its burst, the others before, in or behind theirs.
      const first = writers[round % writers.length];
      await first?.lines.next();
      const name = await store.reset("a", [SESSION_START], { archive: true });
      assert(name !== null, "a reset without an archive");
      kept.push(name);
      for (const { lines } of writers) {
        for (let n = lines === first?.lines ? 1 : 0; n < burst; n++) {
          assertEquals((await lines.next()).done, false);
        }
      }
    }
    for (const { child, input } of writers) {
      await input.close();
      assertEquals((await child.status).code, 0);
    }
    store.close();
    const found: string[] = [];
    for (const name of [...kept, "a.jsonl"]) {
      const lines = (await Deno.readTextFile(join(folder.path, name))).split("\n");
      assertEquals(lines.pop(), "");
      lines.forEach((line, index) => {
        const { id, kind, payload } = JSON.parse(line);
        assertEquals(id, index + 1);
        if (kind === "message") found.push(`${payload.writer}/${payload.n}`);
      });
    }
    assertEquals(found.length, 1200);
    assertEquals(new Set(found).size, 1200);
  },
});

Deno.test({
  name: "TP3 TP4 thirty writers killed at any moment lose nothing they had acknowledged",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const store = new FileTapeStore(folder.path);
    const acknowledged: number[] = [];
    const killOne = async (moment: number) => {
      const child = startWriter(["endless", folder.path, "a", "y".repeat(20_000)]);
      let count = 0;
      for await (const id of childLines(child)) {
        acknowledged.push(Number(id));
        if (++count === moment) child.kill("SIGKILL");
      }
      assertEquals((await child.status).signal, "SIGKILL");
      await store.append("a", [messageEntry({ role: "user", content: "after the crash" })]);
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all([1, 1 + round, 1 + 5 * round].map(killOne));
    }
    const ids = (await all(store, "a")).map(({ id }) => id);
    assertEquals(ids, ids.map((_, index) => index + 1));
    const there = new Set(ids);
    assert(acknowledged.length > 30);
    assertEquals(acknowledged.filter((id) => !there.has(id)), []);
    assertEquals(new Set(acknowledged).size, acknowledged.length);
    store.close();
  },
});

Deno.test({
  name: "TP3 B43 a write that the system cuts short leaves no half line and says what failed",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const child = startWriter(["fill", folder.path, "a", "z".repeat(900)], {
      limitKiB: 64,
    });
    const [report] = await Array.fromAsync(childLines(child));
    assertEquals((await child.status).code, 0);
    const { kind, message } = JSON.parse(report ?? "");
    assertEquals(kind, "storage");
    assertStringIncludes(message, 'tape "a"');
    const lines = await rawLines(folder.path, "a");
    assertEquals(lines.pop(), "");
    assert(lines.length > 30);
    for (const line of lines) JSON.parse(line);
    const store = new FileTapeStore(folder.path);
    const [entry] = await store.append("a", [messageEntry({ role: "user", content: "x" })]);
    assertEquals(entry?.id, lines.length + 1);
    store.close();
  },
});

Deno.test({
  name: "TP10 B47 an archive that cannot be written leaves the tape as it was",
  ignore,
  async fn() {
    await using folder = await temporaryFolder();
    const store = new FileTapeStore(folder.path);
    await store.append("a", [messageEntry({ role: "user", content: "v".repeat(200_000) })]);
    store.close();
    const before = await rawLines(folder.path, "a");
    const child = startWriter(["archive", folder.path, "a"], { limitKiB: 64 });
    const [report] = await Array.fromAsync(childLines(child));
    assertEquals((await child.status).code, 0);
    const { kind, message } = JSON.parse(report ?? "");
    assertEquals(kind, "storage");
    assertStringIncludes(message, 'tape "a" cannot be archived');
    assertEquals(await rawLines(folder.path, "a"), before);
    assertEquals((await Array.fromAsync(Deno.readDir(folder.path))).length, 1);
  },
});

Deno.test({
  name: "TP3 B43 a full disk leaves the tape as it was, and appends work when there is space again",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0 || !canMount(),
  async fn() {
    await using folder = await temporaryFolder();
    await using _disk = await smallDisk(folder.path);
    const store = new FileTapeStore(join(folder.path, "tapes"));
    const append = (n: number) =>
      store.append("a", [messageEntry({ role: "user", content: "w".repeat(3_000), n })], {
        start: [SESSION_START],
      });
    for (let n = 0; n < 5; n++) await append(n);
    const filler = join(folder.path, "filler");
    await assertRejects(() => Deno.writeFile(filler, new Uint8Array(1024 * 1024)));
    const written: number[] = [];
    const error = await assertRejects(
      async () => {
        for (let n = 5;; n++) written.push(...(await append(n)).map(({ id }) => id));
      },
      BubError,
      'tape "a" cannot be written',
    );
    assertEquals(error.kind, "storage");
    assertStringIncludes(error.message, "No space left");
    const before = await all(store, "a");
    assertEquals(before.length, 6 + written.length);
    assertEquals((await rawLines(join(folder.path, "tapes"), "a")).at(-1), "");
    const refused = await assertRejects(
      () => store.reset("a", [SESSION_START], { archive: true }),
      BubError,
      "cannot be archived",
    );
    assertEquals(refused.kind, "storage");
    assertEquals(await all(store, "a"), before);

    await Deno.remove(filler);
    assertEquals((await append(99)).map(({ id }) => id), [before.length + 1]);
    assertEquals((await all(store, "a")).length, before.length + 1);
    assertEquals((await Array.fromAsync(Deno.readDir(join(folder.path, "tapes")))).length, 1);
    store.close();
  },
});

/** Whether this process may mount, tried out on a folder of its own. */
function canMount(): boolean {
  const script =
    'd=$(mktemp -d) && mount -t tmpfs none "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s';
  return new Deno.Command("sh", { args: ["-c", script], stderr: "null" }).outputSync().success;
}

/** A disk of 256 KiB mounted on `path` until disposed of. */
async function smallDisk(path: string): Promise<AsyncDisposable> {
  const run = async (...command: [string, ...string[]]) => {
    const [program, ...args] = command;
    const { success, stderr } = await new Deno.Command(program, { args }).output();
    assert(success, new TextDecoder().decode(stderr));
  };
  await run("mount", "-t", "tmpfs", "-o", "size=256k", "none", path);
  return { [Symbol.asyncDispose]: () => run("umount", "-l", path) };
}
