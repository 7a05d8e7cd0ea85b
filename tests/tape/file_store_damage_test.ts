import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import { all } from "../contract/tape_store.ts";
import { messageEntry, SESSION_START } from "../../lib/tape/entry.ts";
import { FileTapeStore, type TapeDamage } from "../../lib/tape/file_store.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const GOOD =
  '{"id": 1, "kind": "message", "payload": {"role": "user", "content": "café"}, "meta": {}, "date": "2026-12-01T03:56:02.761650+00:00"}';
const GOOD_2 = GOOD.replace('"id": 1', '"id": 2');
const TORN = '{"id":2,"x":"caf\xc3';

interface Variant {
  readonly name: string;
  /** Characters below U+0100 stand for bytes. */
  readonly before: string;
  /** What comes between `before` and the entry that is appended. */
  readonly gap: string;
  readonly ids: readonly number[];
  readonly damage?: number;
}

const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
const good = utf8(GOOD);
const variants: readonly Variant[] = [
  {
    name: "V1 a torn line behind a good one",
    before: `${good}\n${TORN}`,
    gap: "\n",
    ids: [1, 2],
    damage: good.length + 1,
  },
  {
    name: "V2 a complete record without its newline",
    before: `${good}\n${utf8(GOOD_2)}`,
    gap: "\n",
    ids: [1, 2, 3],
  },
  { name: "V3 a file of 0 bytes", before: "", gap: "", ids: [1, 2] },
  { name: "V4 only a torn line", before: TORN, gap: "\n", ids: [1, 2], damage: 0 },
  {
    name: "a damaged line that has its newline",
    before: `${good}\n${TORN}\n`,
    gap: "",
    ids: [1, 2],
    damage: good.length + 1,
  },
  {
    name: "zeros that a power failure left",
    before: `${good}\n${"\0".repeat(5000)}`,
    gap: "\n",
    ids: [1, 2],
    damage: good.length + 1,
  },
  { name: "Windows line ends", before: `${good}\r\n\r\n`, gap: "", ids: [1, 2] },
];

for (const { name, before, gap, ids, damage } of variants) {
  Deno.test(`TP3 B40 append() keeps every byte and the new entry: ${name}`, async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "a.jsonl");
    await Deno.writeFile(path, bytesOf(before));
    const store = new FileTapeStore(folder.path);
    const [entry] = await store.append("a", [messageEntry({ role: "user", content: "new" })], {
      start: [SESSION_START],
    });
    store.close();
    assertEquals(entry?.id, ids.at(-1));

    const after = await Deno.readFile(path);
    assertEquals(after.slice(0, before.length), bytesOf(before));
    const added = new TextDecoder().decode(after.slice(before.length));
    assert(added.startsWith(`${gap}{`), added);
    assert(added.endsWith("}\n"), added);

    const damages: TapeDamage[] = [];
    const again = new FileTapeStore(folder.path, { onDamage: (met) => damages.push(met) });
    for (const order of ["oldest", "newest", "oldest"] as const) {
      const read = (await all(again, "a", order)).map(({ id }) => id);
      assertEquals(read, order === "oldest" ? ids : ids.toReversed());
    }
    assertEquals(damages.map(({ tape, offset }) => ({ tape, offset })), [
      ...(damage === undefined ? [] : [{ tape: "a", offset: damage }]),
    ]);
    assert(damages.every(({ reason }) => reason !== ""));
  });
}

Deno.test("TP3 the warning about damage comes once a tape, wherever it lies", async () => {
  await using folder = await temporaryFolder();
  const line = (id: number) =>
    `{"id": ${id}, "kind": "event", "payload": {}, "meta": {}, "date": ""}\n`;
  const body = Array.from({ length: 5_000 }, (_, n) => line(n + 1));
  body[1234] = "damaged 1\n";
  body[4321] = "damaged 2\n";
  for (const name of ["a", "b"]) {
    await Deno.writeTextFile(join(folder.path, `${name}.jsonl`), body.join(""));
  }
  const damages: [string, number][] = [];
  const store = new FileTapeStore(folder.path, {
    onDamage: ({ tape, offset }) => damages.push([tape, offset]),
  });
  assertEquals((await all(store, "a", "oldest")).length, 4_998);
  assertEquals((await all(store, "a", "newest")).length, 4_998);
  assertEquals((await all(store, "b", "newest")).length, 4_998);
  const offset = (index: number) => body.slice(0, index).join("").length;
  assertEquals(damages, [["a", offset(1234)], ["b", offset(4321)]]);
});

Deno.test("TP3 TP10 a reset under a reader ends the reading, and is no damage", async () => {
  await using folder = await temporaryFolder();
  const damages: TapeDamage[] = [];
  const store = new FileTapeStore(folder.path, { onDamage: (met) => damages.push(met) });
  // The new tape is a little shorter, so that the reader finds other lines where it goes on.
  const drafts = Array.from(
    { length: 3_000 },
    (_, n) => messageEntry({ content: `${n}`, x: "y".repeat(n % 97) }),
  );
  for (const order of ["oldest", "newest"] as const) {
    await store.reset("a", drafts);
    let seen = 0;
    for await (const { id } of store.read("a", order)) {
      if (seen++ === 0) await store.reset("a", drafts.slice(100));
      assert(id >= 1);
    }
    assert(seen < 2_900, `${order}: ${seen}`);
  }
  assertEquals(damages, []);
  store.close();
});

Deno.test("TP2 unknown fields and kinds are there after reading and appending", async () => {
  await using folder = await temporaryFolder();
  const line = '{"id":1,"kind":"hologram","payload":{"a":1},"meta":{},"date":"d","more":[1]}';
  await Deno.writeTextFile(join(folder.path, "a.jsonl"), `${line}\n`);
  const store = new FileTapeStore(folder.path);
  await store.append("a", [messageEntry({ role: "user", content: "x" })]);
  assertEquals(JSON.stringify((await all(store, "a"))[0]), line);
  store.close();
});

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
