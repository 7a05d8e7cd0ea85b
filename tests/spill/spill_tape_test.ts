import { BubError } from "../../lib/errors.ts";
import { CHUNK_BYTES } from "../../lib/spill/chunks.ts";
import { SpillTape } from "../../lib/spill/spill_tape.ts";
import { FileTapeStore } from "../../lib/tape/file_store.ts";
import { MemoryTapeStore } from "../../lib/tape/memory_store.ts";
import { sidecarName } from "../../lib/tape/name.ts";
import type { TapeStore } from "../../lib/tape/store.ts";
import { Tape } from "../../lib/tape/tape.ts";
import { FullStore } from "./full_store.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "../assert.ts";

const NAME = "0123456789abcdef__fedcba9876543210";

/** Ten chunks; the nth, counted from 0, is full of the digit n. */
const DOCUMENT = Array.from({ length: 10 }, (_, n) => String(n).repeat(CHUNK_BYTES)).join("");

/** The digits of the chunks in `content`. */
function digits(content: string): string {
  return content.replaceAll(/(.)\1*/g, "$1");
}

async function read(spills: SpillTape, handle: string, cursor = 0, count = 1, fromEnd = false) {
  const slice = await spills.read(handle, { cursor, count, fromEnd });
  return [digits(slice.content), slice.nextCursor, slice.complete];
}

/** Runs a test on a memory store and on a file store. */
function onEachStore(name: string, test: (store: TapeStore) => Promise<void>): void {
  Deno.test(`${name} (memory)`, () => test(new MemoryTapeStore()));
  Deno.test(`${name} (file)`, async () => {
    const folder = await Deno.makeTempDir();
    const store = new FileTapeStore(folder);
    try {
      await test(store);
    } finally {
      store.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
}

onEachStore(
  "SP2 read() goes through a result from either end, in document order",
  async (store) => {
    const spills = new SpillTape(new Tape(store, NAME));
    const { handle, chunks } = await spills.store(DOCUMENT, {});
    assertMatch(handle, /^[0-9a-f]{32}$/);
    assertEquals(chunks, 10);
    assertEquals(await read(spills, handle), ["0", 1, false]);
    assertEquals(await read(spills, handle, 1, 3), ["123", 4, false]);
    assertEquals(await read(spills, handle, 4, 99), ["4567", 8, false], "at most four chunks");
    assertEquals(await read(spills, handle, 8, 4), ["89", 10, true]);
    assertEquals(await read(spills, handle, 9, 1), ["9", 10, true]);
    assertEquals(await read(spills, handle, 10, 1), ["", 10, true]);
    assertEquals(await read(spills, handle, 1000, 4), ["", 10, true], "clamped");
    assertEquals(await read(spills, handle, 0, 1, true), ["9", 1, false]);
    assertEquals(await read(spills, handle, 1, 4, true), ["5678", 5, false]);
    assertEquals(await read(spills, handle, 5, 4, true), ["1234", 9, false]);
    assertEquals(await read(spills, handle, 9, 4, true), ["0", 10, true]);
    assertEquals(await read(spills, handle, 11, 4, true), ["", 10, true]);
    assertEquals(await read(spills, ` ${handle.toUpperCase()}\n`), ["0", 1, false]);
  },
);

onEachStore(
  "SP2 results stored at once stay apart, and an unknown handle is an error",
  async (store) => {
    const tape = new Tape(store, NAME);
    const spills = new SpillTape(tape);
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(100 * CHUNK_BYTES));
    const stored = await Promise.all(texts.map((text) => spills.store(text, {})));
    for (const [index, { handle }] of stored.entries()) {
      let whole = "";
      for (let cursor = 0, complete = false; !complete;) {
        const slice = await spills.read(handle, { cursor, count: 4, fromEnd: false });
        ({ nextCursor: cursor, complete } = slice);
        whole += slice.content;
      }
      assert(whole === texts[index], `text ${index}`);
    }
    for (const handle of ["", "0".repeat(32), `${stored[0]?.handle}/0`]) {
      const error = await assertRejects(
        () => read(spills, handle),
        BubError,
        "no stored result has",
      );
      assertEquals(error.kind, "not_found");
    }
    const other = new SpillTape(new Tape(store, NAME.replace("fed", "abc")));
    await assertRejects(
      () => read(other, stored[0]?.handle ?? ""),
      BubError,
      "no stored result has",
    );
    assertEquals(await Array.fromAsync(tape.read("oldest")), [], "the main tape has nothing of it");
  },
);

Deno.test("SP2 read() says so when a chunk is damaged, and reads the others", async () => {
  const folder = await Deno.makeTempDir();
  const store = new FileTapeStore(folder);
  const spills = new SpillTape(new Tape(store, NAME));
  const { handle } = await spills.store(DOCUMENT, {});
  store.close();
  const path = `${folder}/${sidecarName(NAME, "spill")}.jsonl`;
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("33333", '3"333'));
  assertEquals(await read(spills, handle, 4, 4), ["4567", 8, false]);
  const error = await assertRejects(() => read(spills, handle, 2, 2), BubError, "/3 is missing");
  assertEquals(error.kind, "storage");
  store.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("SP1 what a failed write left of a result is never found", async () => {
  const store = new FullStore(1);
  const spills = new SpillTape(new Tape(store, NAME));
  await assertRejects(() => spills.store("x".repeat(2 ** 21), {}), BubError, "no space left");
  const sidecar = JSON.stringify(
    await Array.fromAsync(store.read(sidecarName(NAME, "spill"), "newest")),
  );
  const [handle = ""] = /[0-9a-f]{32}/.exec(sidecar) ?? [];
  assertEquals(handle.length, 32);
  await assertRejects(() => read(spills, handle), BubError, "no stored result has");
});
