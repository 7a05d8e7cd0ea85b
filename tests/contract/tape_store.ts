import { assert, assertEquals, assertNotEquals, assertRejects } from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import {
  anchorEntry,
  type EntryDraft,
  eventEntry,
  messageEntry,
  SESSION_START,
  type TapeEntry,
} from "../../lib/tape/entry.ts";
import type { TapeOrder, TapeStore } from "../../lib/tape/store.ts";

/** A new, empty store that goes away with what it made. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: TapeStore;
}

/** What every store must do, whatever it is made of. */
export function testTapeStore(name: string, open: () => Promise<OpenedStore>): void {
  const test = (sentence: string, run: (store: TapeStore) => Promise<void>) =>
    Deno.test(`${name} ${sentence}`, async () => {
      await using opened = await open();
      await run(opened.store);
    });

  test("TP1 append() gives consecutive ids from 1 and UTC dates", async (store) => {
    const first = await store.append("a", [user("one"), user("two")]);
    const second = await store.append("a", [user("three")]);
    assertEquals([...first, ...second].map(({ id }) => id), [1, 2, 3]);
    for (const { date } of first) {
      assert(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/.test(date), date);
      assert(Math.abs(Date.parse(date) - Date.now()) < 60_000, date);
    }
  });

  test("TP3 append() and reset() refuse drafts that are none, and change nothing", async (store) => {
    const listed = [user("listed")] as unknown as EntryDraft;
    const refused = async (work: () => Promise<unknown>) => {
      const error = await assertRejects(work, BubError, "an entry must be an object, got a list");
      assertEquals(error.kind, "invalid_input");
    };
    await refused(() => store.append("a", [listed]));
    assertEquals(await store.list(), []);
    const entries = await store.append("a", [user("one")]);
    await refused(() => store.append("a", [user("two"), listed]));
    await refused(() => store.reset("a", [listed]));
    assertEquals(await all(store, "a"), entries);
  });

  test("TP3 read() hands out what append() answered, in both orders", async (store) => {
    const entries = await store.append("a", [
      { ...user("one"), date: "2026-12-01T03:56:02.761650+00:00" },
      anchorEntry("phase-1", { summary: "done" }),
      eventEntry("run", { usage: { total_tokens: 3 } }, { run_id: "r" }),
    ]);
    assertEquals(await all(store, "a"), entries);
    assertEquals(await all(store, "a", "newest"), entries.toReversed());
    assertEquals(entries[0]?.date, "2026-12-01T03:56:02.761650+00:00");
    assertEquals(entries[1]?.meta, {});
  });

  test("SC2 SP2 read() that asks for a mention leaves out none that has it", async (store) => {
    const texts = ["a.b", "axb", 'say "a.b"', "c", "😀 a.b"];
    const entries = await store.append("a", texts.map(user));
    for (const order of ["oldest", "newest"] as const) {
      for (const mention of [["a.b"], ["nothing", "a.b"], ["c", "a.b"]]) {
        const read = await Array.fromAsync(store.read("a", order, { mention }));
        const wanted = (order === "oldest" ? entries : entries.toReversed())
          .filter((entry) => mention.some((text) => JSON.stringify(entry).includes(text)));
        const found = read.filter((entry) => wanted.some(({ id }) => id === entry.id));
        assertEquals(found, wanted);
      }
    }
  });

  test("TP2 kinds and fields that nobody knows survive, old ids of copied entries do not", async (store) => {
    const strange = {
      ...{ id: 77, kind: "strange", payload: { n: 1 }, meta: { m: [2] }, colour: { of: "tea" } },
      date: "2026-12-01T03:56:02.761650+00:00",
    };
    await store.append("a", [user("one"), strange]);
    const [, read] = await all(store, "a");
    assertEquals<unknown>(read, { ...strange, id: 2 });
  });

  test("read() of an unknown tape has no entries, and makes no tape", async (store) => {
    assertEquals(await all(store, "nobody"), []);
    assertEquals(await store.list(), []);
  });

  test("TP10 `start` is written before the first entry only, and once", async (store) => {
    const options = { start: [SESSION_START] };
    const answers = await Promise.all(
      ["one", "two", "three"].map((text) => store.append("a", [user(text)], options)),
    );
    assertEquals(answers.map((entries) => entries.map(({ id }) => id)), [[2], [3], [4]]);
    const kinds = (await all(store, "a")).map(({ kind }) => kind);
    assertEquals(kinds, ["anchor", "message", "message", "message"]);
  });

  test("append() of nothing writes `start` to an empty tape, else nothing", async (store) => {
    assertEquals(await store.append("a", []), []);
    assertEquals(await store.list(), []);
    const options = { start: [SESSION_START] };
    for (let n = 0; n < 2; n++) assertEquals(await store.append("a", [], options), []);
    assertEquals((await all(store, "a")).map(({ payload }) => payload), [SESSION_START.payload]);
  });

  test("B40 text that JSON lines could trip over comes back as it was", async (store) => {
    const texts = [
      "\ud83d",
      "\udc00x",
      "a\u2028b\u2029",
      "l1\nl2\r\nl3",
      "\0",
      '"\\',
      "😀",
      "\ufeff",
    ];
    await store.append("a", texts.map(user));
    assertEquals((await all(store, "a")).map(({ payload }) => payload.content), texts);
  });

  test("append() neither changes a draft nor keeps hold of it", async (store) => {
    const payload = { role: "user", content: [{ type: "text", text: "before" }] };
    const draft: EntryDraft = { kind: "message", payload };
    await store.append("a", [Object.freeze(draft)]);
    const [part] = payload.content;
    if (part !== undefined) part.text = "after";
    const [entry] = await all(store, "a");
    assertEquals(entry?.payload, { role: "user", content: [{ type: "text", text: "before" }] });
    assertEquals(Object.keys(draft), ["kind", "payload"]);
  });

  test("TP3 a read sees the tape as it was when the read began", async (store) => {
    await store.append("a", [user("one"), user("two")]);
    for (const order of ["oldest", "newest"] as const) {
      const before = await all(store, "a", order);
      const seen: TapeEntry[] = [];
      for await (const entry of store.read("a", order)) {
        await store.append("a", [user("meanwhile")]);
        seen.push(entry);
      }
      assertEquals(seen, before);
    }
  });

  test("list() names tapes and sidecars with size and time; remove() ends one", async (store) => {
    await store.append("a", [user("one")]);
    await store.append("a__sidecar__spill", [user("two")]);
    const listed = await store.list();
    assertEquals(listed.map((tape) => tape.name).sort(), ["a", "a__sidecar__spill"]);
    for (const { size, modified } of listed) {
      assert(size > 50);
      assert(modified === null || Math.abs(modified.getTime() - Date.now()) < 60_000);
    }
    await store.remove("a");
    await store.remove("never-was");
    assertEquals((await store.list()).map((tape) => tape.name), ["a__sidecar__spill"]);
    assertEquals(await all(store, "a"), []);
    assertEquals((await store.append("a", [user("anew")])).map(({ id }) => id), [1]);
  });

  test("TP10 reset() starts the tape anew with ids from 1", async (store) => {
    await store.append("a", [user("one"), user("two")]);
    assertEquals(await store.reset("a", [SESSION_START]), null);
    assertEquals((await all(store, "a")).map(({ id, kind }) => [id, kind]), [[1, "anchor"]]);
    assertEquals((await store.append("a", [user("next")])).map(({ id }) => id), [2]);
    assertEquals(await store.reset("a", []), null);
    assertEquals(await store.list(), []);
    assertEquals((await store.append("a", [user("again")])).map(({ id }) => id), [1]);
  });

  test("TP10 B47 reset() with archive takes a new name each time", async (store) => {
    const names: (string | null)[] = [];
    for (const text of ["one", "two", "three"]) {
      await store.append("a", [user(text)]);
      names.push(await store.reset("a", [], { archive: true }));
    }
    assertEquals(new Set(names).size, 3);
    for (const kept of names) {
      assert(/^a\.jsonl\.\d{8}T\d{6}Z(-\d+)?\.bak$/.test(kept ?? ""), `${kept}`);
    }
    assertEquals(await store.reset("a", [SESSION_START], { archive: true }), null);
    assertNotEquals(await store.reset("a", [], { archive: true }), null);
  });

  test("names that lead elsewhere are refused", async (store) => {
    for (const tape of ["", ".", "..", "../a", "a/b", "a\\b", "a\0", ".a", "a".repeat(300)]) {
      const calls = [
        () => store.append(tape, [user("x")]),
        () => all(store, tape),
        () => store.remove(tape),
        () => store.reset(tape, [user("x")]),
      ];
      for (const call of calls) {
        assertEquals((await assertRejects(call, BubError)).kind, "invalid_input");
      }
    }
  });

  test("works on after close()", async (store) => {
    await store.append("a", [user("one")]);
    store.close();
    await store.append("a", [user("two")]);
    assertEquals((await all(store, "a")).map(({ id }) => id), [1, 2]);
  });
}

/** Every entry of a tape. */
export function all(
  store: TapeStore,
  tape: string,
  order: TapeOrder = "oldest",
): Promise<TapeEntry[]> {
  return Array.fromAsync(store.read(tape, order));
}

function user(content: string): EntryDraft {
  return messageEntry({ role: "user", content });
}
