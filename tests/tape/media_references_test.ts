import { join } from "@std/path";
import { fileMediaReferences, mediaReferences } from "../../lib/tape/media_references.ts";
import { assertEquals } from "../assert.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const digest = (digit: string) => digit.repeat(64);

Deno.test("TP12 mediaReferences() finds references however JSON is written, and no other hex", () => {
  const python = JSON.stringify({ sha256: digest("a"), size: 1 }).replaceAll(":", ": ");
  assertEquals(mediaReferences(`{"x":"${digest("f")}"} ${python} {"sha256":"${digest("b")}"}`), [
    digest("a"),
    digest("b"),
  ]);
  assertEquals(mediaReferences(`{"sha256":"${digest("A")}"} {"sha256":"abc"}`), []);
});

Deno.test("TP12 fileMediaReferences() finds them wherever they stand in a long file, damaged lines included", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "tape.jsonl");
  assertEquals([...await fileMediaReferences(path)], []);
  const reference = (digit: string) => `{"sha256":"${digest(digit)}"`;
  // The second one lies across the border of two blocks of 1 MiB.
  const head = `${reference("1")}é`;
  const filler = "x".repeat(1024 * 1024 - head.length - 1 - 40);
  await Deno.writeTextFile(path, `${head}${filler}${reference("2")}\n${reference("3")}`);
  assertEquals([...await fileMediaReferences(path)], ["1", "2", "3"].map(digest));
});
