import { join } from "@std/path";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { acquireSessionLock, SessionLocks } from "../../lib/tape/session_lock.ts";
import { childLines, startWriter } from "./child.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const patient = () => AbortSignal.timeout(20_000);

Deno.test("M5 acquireSessionLock() takes a free lock without waiting, and leaves nothing", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tapes", "a.lock");
  for (let round = 0; round < 2; round++) {
    using _lock = await acquireSessionLock(path, {
      signal: patient(),
      onWait: () => assert(false, "waited for a free lock"),
    });
    assertEquals(await new FileTapeStore(join(folder.path, "tapes")).list(), []);
  }
  assertEquals(await Array.fromAsync(Deno.readDir(join(folder.path, "tapes"))), []);
});

Deno.test("M5 acquireSessionLock() waits for the holder, saying so once, and is woken", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.lock");
  const first = await acquireSessionLock(path, { signal: patient() });
  const waiting = Promise.withResolvers<void>();
  let waits = 0;
  let got = false;
  const second = acquireSessionLock(path, {
    signal: patient(),
    onWait: () => {
      waits++;
      waiting.resolve();
    },
  }).finally(() => got = true);
  await waiting.promise;
  assertEquals(got, false);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _lock = await second;
  assertEquals(waits, 1);
});

Deno.test("M5 acquireSessionLock() stops waiting when its signal is aborted", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.lock");
  using _held = await acquireSessionLock(path, { signal: patient() });
  const abort = new AbortController();
  const reason = new BubError("interrupted", "enough");
  const started = performance.now();
  const error = await assertRejects(
    () => acquireSessionLock(path, { signal: abort.signal, onWait: () => abort.abort(reason) }),
    BubError,
  );
  assert(error === reason);
  assert(performance.now() - started < 1_000);
});

Deno.test("M5 acquireSessionLock() that waits long says so once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.lock");
  using _held = await acquireSessionLock(path, { signal: patient() });
  let waits = 0;
  // Long enough to look four times.
  const options = { signal: AbortSignal.timeout(40), onWait: () => void waits++ };
  const error = await assertRejects(() => acquireSessionLock(path, options), DOMException);
  assertEquals(error.name, "TimeoutError");
  assertEquals(waits, 1);
});

Deno.test({
  name: "M5 B42 acquireSessionLock() lets in one process at a time, however fast they change",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "a.lock");
    const children = [1, 2, 3].map(() => startWriter(["contend", folder.path, path, "", "250"]));
    for (const child of children) {
      assertEquals(await Array.fromAsync(childLines(child)), ["250"]);
      assertEquals((await child.status).code, 0);
    }
  },
});

Deno.test("M5 acquireSessionLock() that cannot make its file is a storage error", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "file"), "");
  const path = join(folder.path, "file", "a.lock");
  const error = await assertRejects(
    () => acquireSessionLock(path, { signal: patient() }),
    BubError,
    path,
  );
  assertEquals(error.kind, "storage");
});

Deno.test({
  name: "M5 B42 acquireSessionLock() holds off other processes, and a killed one holds nothing",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "a.lock");
    const start = () => startWriter(["lock", folder.path, path]);
    const holder = start();
    const holderLines = childLines(holder)[Symbol.asyncIterator]();
    assertEquals((await holderLines.next()).value, "locked");

    const waiting = Promise.withResolvers<void>();
    const here = acquireSessionLock(path, { signal: patient(), onWait: waiting.resolve });
    await waiting.promise;
    holder.kill("SIGKILL");
    const lock = await here;
    assertEquals((await holder.status).signal, "SIGKILL");
    await holder.stdin.close().catch(() => {});
    assertEquals((await holderLines.next()).done, true);

    const next = start();
    const nextLines = childLines(next)[Symbol.asyncIterator]();
    assertEquals((await nextLines.next()).value, "waiting");
    lock[Symbol.dispose]();
    assertEquals((await nextLines.next()).value, "locked");
    await next.stdin.close();
    assertEquals((await next.status).code, 0);
    assertEquals((await nextLines.next()).done, true);
  },
});

Deno.test("M5 SessionLocks gives one session's turns the lock in the order they asked", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.lock");
  const locks = new SessionLocks();
  const order: number[] = [];
  const waited: number[] = [];
  let inside = 0;
  await Promise.all(Array.from({ length: 20 }, async (_, n) => {
    using _lock = await locks.acquire(path, { signal: patient(), onWait: () => waited.push(n) });
    assertEquals(++inside, 1);
    await Promise.resolve();
    order.push(n);
    inside--;
  }));
  assertEquals(order, [...Array(20).keys()]);
  assertEquals(waited, order.slice(1));
});

Deno.test({
  name: "M5 SessionLocks says once that it waits, be it for this process and another one",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "a.lock");
    const locks = new SessionLocks();
    const first = await locks.acquire(path, { signal: patient() });
    let waits = 0;
    const second = locks.acquire(path, { signal: patient(), onWait: () => void waits++ });
    first[Symbol.dispose]();
    // Before the second one's turn comes somebody else takes the lock.
    const outside = lockedNow(path);
    // A task, not a microtask: the second one has looked by then.
    await new Promise((resolve) => setTimeout(resolve));
    outside.close();
    using _lock = await second;
    assertEquals(waits, 1);
  },
});

Deno.test("M5 SessionLocks: sessions do not wait for each other, and who gives up blocks nobody", async () => {
  await using folder = await temporaryFolder();
  const [a, b] = [join(folder.path, "a.lock"), join(folder.path, "b.lock")];
  const locks = new SessionLocks();
  const first = await locks.acquire(a, { signal: patient() });
  using _other = await locks.acquire(b, { signal: patient() });
  const abort = new AbortController();
  const given = assertRejects(() => locks.acquire(a, { signal: abort.signal }), DOMException);
  const third = locks.acquire(a, { signal: patient() });
  abort.abort();
  await given;
  first[Symbol.dispose]();
  using _third = await third;
});

Deno.test("M5 SessionLocks waits for another holder of the file too, saying so once", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a.lock");
  const outside = await acquireSessionLock(path, { signal: patient() });
  let waits = 0;
  const waiting = Promise.withResolvers<void>();
  const inside = new SessionLocks().acquire(path, {
    signal: patient(),
    onWait: () => {
      waits++;
      waiting.resolve();
    },
  });
  await waiting.promise;
  outside[Symbol.dispose]();
  using _lock = await inside;
  assertEquals(waits, 1);
});

/** The file at `path`, locked before anything else of this process can run. */
function lockedNow(path: string): Deno.FsFile {
  const file = Deno.openSync(path, { write: true, create: true });
  assert(file.tryLockSync(true));
  return file;
}

Deno.test("M5 B73 SessionLocks lets turns wait for each other without lock files, too", async () => {
  const locks = new SessionLocks(() => Promise.resolve({ [Symbol.dispose]() {} }));
  const waiting = Promise.withResolvers<void>();
  const first = await locks.acquire("no/such/folder", { signal: patient() });
  let held = false;
  const second = locks.acquire("no/such/folder", { signal: patient(), onWait: waiting.resolve })
    .then((lock) => {
      held = true;
      return lock;
    });
  await waiting.promise;
  assertEquals(held, false);
  first[Symbol.dispose]();
  using _lock = await second;
});

Deno.test("A3 a wait that was ended gets no lock, also where no other process is held off", async () => {
  const locks = new SessionLocks(() => Promise.resolve({ [Symbol.dispose]() {} }));
  const first = await locks.acquire("x", { signal: new AbortController().signal });
  const stop = new AbortController();
  const second = locks.acquire("x", { signal: stop.signal, onWait: () => stop.abort() });
  await assertRejects(() => second);
  const third = locks.acquire("x", { signal: new AbortController().signal });
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});
