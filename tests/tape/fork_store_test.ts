import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import { all, testTapeStore } from "../contract/tape_store.ts";
import {
  anchorEntry,
  type EntryDraft,
  eventEntry,
  messageEntry,
  SESSION_START,
} from "../../lib/tape/entry.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { ForkTapeStore } from "../../lib/tape/fork_store.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import type { TapeStore } from "../../lib/tape/store.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** A parent store and what goes away with it. */
interface Parent extends AsyncDisposable {
  readonly store: TapeStore;
}

const PARENTS: Readonly<Record<string, () => Promise<Parent>>> = {
  async file() {
    const folder = await temporaryFolder();
    const store = new FileTapeStore(join(folder.path, "tapes"));
    return {
      store,
      async [Symbol.asyncDispose]() {
        store.close();
        await folder[Symbol.asyncDispose]();
      },
    };
  },
  memory() {
    const store = new MemoryTapeStore();
    return Promise.resolve({ store, [Symbol.asyncDispose]: () => Promise.resolve() });
  },
};

const user = (content: string): EntryDraft => messageEntry({ role: "user", content });

for (const [kind, openParent] of Object.entries(PARENTS)) {
  testTapeStore(`ForkTapeStore over ${kind}`, async () => {
    const parent = await openParent();
    await parent.store.append("not-forked", [user("of the parent")]);
    const store = await ForkTapeStore.open(parent.store, ["a"]);
    return { store, [Symbol.asyncDispose]: () => parent[Symbol.asyncDispose]() };
  });

  const test = (sentence: string, run: (parent: TapeStore) => Promise<void>) =>
    Deno.test(`ForkTapeStore over ${kind} ${sentence}`, async () => {
      await using parent = await openParent();
      await parent.store.append("t", [SESSION_START, user("one"), user("two")]);
      await run(parent.store);
    });
  const texts = async (store: TapeStore, order: "oldest" | "newest" = "oldest") =>
    (await all(store, "t", order)).slice().map(({ id, payload }) =>
      `${id} ${payload.content ?? payload.name}`
    );

  test("reads the parent as of the fork, then its own, and never writes to it", async (parent) => {
    const fork = await ForkTapeStore.open(parent, ["t"]);
    await parent.append("t", [user("later")]);
    const [own] = await fork.append("t", [user("own")], { start: [SESSION_START] });
    assertEquals(own?.id, 4);
    const seen = ["1 session/start", "2 one", "3 two", "4 own"];
    assertEquals(await texts(fork), seen);
    assertEquals(await texts(fork, "newest"), seen.toReversed());
    assertEquals(await texts(parent), [...seen.slice(0, 3), "4 later"]);
    assertEquals((await fork.list()).map(({ name }) => name), ["t"]);
  });

  test("can be forked again", async (parent) => {
    const fork = await ForkTapeStore.open(parent, ["t"]);
    await fork.append("t", [user("own")]);
    const second = await ForkTapeStore.open(fork, ["t"]);
    await fork.append("t", [user("later")]);
    await second.append("t", [user("of the second")]);
    assertEquals((await texts(second)).slice(2), ["3 two", "4 own", "5 of the second"]);
    assertEquals((await texts(fork)).slice(2), ["3 two", "4 own", "5 later"]);
  });

  test("is reset and removed without the parent", async (parent) => {
    const fork = await ForkTapeStore.open(parent, ["t"]);
    await fork.append("t", [user("own")]);
    await fork.reset("t", [SESSION_START]);
    await fork.append("t", [user("anew")]);
    assertEquals(await texts(fork), ["1 session/start", "2 anew"]);
    await fork.remove("t");
    assertEquals(await texts(fork), []);
    assertEquals(await fork.list(), []);
    assertEquals((await texts(parent)).length, 3);
  });

  test("does not show what a parent that was reset meanwhile holds now", async (parent) => {
    for (const growth of [5, 0]) {
      const fork = await ForkTapeStore.open(parent, ["t"]);
      await fork.append("t", [user("own")]);
      const before = (await all(parent, "t")).length;
      await parent.reset("t", [SESSION_START]);
      if (growth > 0) await parent.append("t", Array.from({ length: 5 }, () => user("new")));
      for (const order of ["oldest", "newest"] as const) {
        assertEquals(await texts(fork, order), [`${before + 1} own`]);
      }
    }
  });

  test("merge() appends what is its own, unknown fields and all, and goes on", async (parent) => {
    const fork = await ForkTapeStore.open(parent, ["t"]);
    const strange = { ...eventEntry("x"), kind: "strange", colour: "red" };
    await fork.append("t", [user("own"), anchorEntry("phase"), strange]);
    await parent.append("t", [user("later")]);
    await fork.merge("t");
    assertEquals((await texts(parent)).slice(3), ["4 later", "5 own", "6 phase", "7 x"]);
    const merged = (await all(parent, "t"))[6] as unknown as Record<string, unknown>;
    assertEquals([merged.kind, merged.colour, merged.id], ["strange", "red", 7]);
    await fork.append("t", [user("after")]);
    assertEquals(await texts(fork), [...await texts(parent), "8 after"]);
    await fork.merge("t");
    await fork.merge("t");
    assertEquals((await texts(parent)).slice(7), ["8 after"]);
  });

  test("merge() of a new tape does not start it twice", async (parent) => {
    const fork = await ForkTapeStore.open(parent, ["new"]);
    await fork.append("new", [user("own")], { start: [SESSION_START] });
    await parent.append("new", [user("theirs")], { start: [SESSION_START] });
    await fork.merge("new");
    const kinds = (await all(parent, "new")).map(({ kind }) => kind);
    assertEquals(kinds, ["anchor", "message", "message"]);
  });
}

Deno.test("ForkTapeStore over memory passes the wish for some lines on to its parent", async () => {
  const parent = new MemoryTapeStore();
  await parent.append("t", [user("one")]);
  const wishes: unknown[] = [];
  const read = parent.read.bind(parent);
  parent.read = (tape, order, ...rest: unknown[]) => {
    wishes.push(rest[0]);
    return read(tape, order);
  };
  const fork = await ForkTapeStore.open(parent, ["t"]);
  await Array.fromAsync(fork.read("t", "oldest", { mention: ["x"] }));
  assert(wishes.some((wish) => JSON.stringify(wish) === '{"mention":["x"]}'));
});
