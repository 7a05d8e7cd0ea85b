import { join } from "@std/path";
import { assert, assertEquals } from "../assert.ts";
import { type LineBlock, readBlocks } from "../../lib/tape/block_reader.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const KiB = 1024;

Deno.test("TP3 B44 readBlocks() cuts between lines and leaves nothing out", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "file");
  const line = (length: number) => "x".repeat(length) + "\n";
  const edges = [64 * KiB - 2, 64 * KiB - 1, 64 * KiB, 128 * KiB - 1, 192 * KiB - 1, 3000 * KiB];
  const texts = [
    "",
    "\n",
    "a",
    "a\nb",
    "\n\n\n",
    line(10).repeat(30_000),
    ...edges.flatMap((length) => [
      line(length),
      "x".repeat(length),
      line(length) + line(3) + "tail",
      line(3) + line(length),
      line(3) + line(length) + line(3).repeat(50_000),
    ]),
  ];
  for (const text of texts) {
    await Deno.writeTextFile(path, text);
    using file = await Deno.open(path);
    for (const order of ["oldest", "newest"] as const) {
      const blocks = await Array.fromAsync(readBlocks(file, text.length, order));
      if (order === "newest") blocks.reverse();
      let offset = 0;
      for (const block of blocks) {
        assertEquals(block.offset, offset);
        assert(block.bytes.length > 0);
        offset += block.bytes.length;
        assert(offset === text.length || block.bytes.at(-1) === 10, "a block ends inside a line");
      }
      assert(textOf(blocks) === text, `${order}: ${text.length} bytes came back changed`);
    }
  }
});

Deno.test("TP5 readBlocks() newest first starts with little and reads no more than asked", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "file");
  const text = (("x".repeat(99) + "\n").repeat(10)).repeat(5_000);
  await Deno.writeTextFile(path, text);
  using file = await Deno.open(path);
  const sizes: number[] = [];
  for await (const { bytes } of readBlocks(file, text.length, "newest")) {
    sizes.push(Math.round(bytes.length / (64 * KiB)));
    if (sizes.length === 1) {
      assertEquals(await file.seek(0, Deno.SeekMode.Current), text.length);
    }
  }
  assertEquals(sizes.slice(0, 6), [1, 2, 4, 8, 16, 16]);
});

Deno.test("TP10 readBlocks() ends when the file was cut meanwhile", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "file");
  await Deno.writeTextFile(path, "line\n");
  using file = await Deno.open(path);
  for (const order of ["oldest", "newest"] as const) {
    assertEquals(await Array.fromAsync(readBlocks(file, 1_000_000, order)), []);
  }
});

function textOf(blocks: readonly LineBlock[]): string {
  return blocks.map(({ bytes }) => new TextDecoder().decode(bytes)).join("");
}
