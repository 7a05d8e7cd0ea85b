import { assertEquals, assertRejects } from "../assert.ts";
import { readRest } from "../../lib/environment/file_reader.ts";

/** An open file with this content, gone from its folder already. */
async function temporaryFile(content: Uint8Array): Promise<Deno.FsFile> {
  const path = await Deno.makeTempFile({ prefix: "bub_reader_" });
  await Deno.writeFile(path, content);
  const file = await Deno.open(path);
  await Deno.remove(path);
  return file;
}

const content = new Uint8Array(300_000).map((_, i) => i % 251);
const POSIX = { ignore: Deno.build.os === "windows" };

Deno.test("F1 readRest() reads what is left, or one byte more than it may", POSIX, async () => {
  using file = await temporaryFile(content);
  await file.seek(100, Deno.SeekMode.Start);
  assertEquals(await readRest(file), content.slice(100));
  await file.seek(0, Deno.SeekMode.Start);
  assertEquals((await readRest(file, { maxBytes: 4 })).length, 5);
  await file.seek(0, Deno.SeekMode.Start);
  assertEquals((await readRest(file, { maxBytes: content.length })).length, content.length);
});

Deno.test("F1 readRest() reads all of a file that tells no size", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  using file = await Deno.open("/proc/self/maps");
  const text = new TextDecoder().decode(await readRest(file));
  assertEquals(text.endsWith("\n"), true);
  assertEquals(await file.read(new Uint8Array(1)), null);
});

Deno.test("F1 readRest() stops when its signal aborts", POSIX, async () => {
  using file = await temporaryFile(content);
  const reason = new Error("stop");
  const read = readRest(file, { signal: AbortSignal.abort(reason) });
  assertEquals(await assertRejects(() => read), reason);
});
