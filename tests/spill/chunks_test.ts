import { CHUNK_BYTES, utf8Chunks } from "../../lib/spill/chunks.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("SP1 utf8Chunks() splits no character, fills its chunks, and loses nothing", () => {
  const encoder = new TextEncoder();
  for (const character of ["a", "é", "€", "😀", "a😀€", "\n"]) {
    for (const shift of ["", "x", "xy", "xyz"]) {
      for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 50_000]) {
        const text = shift + character.repeat(length);
        const chunks = [...utf8Chunks(text)];
        assertEquals(chunks.join(""), text);
        for (const [index, chunk] of chunks.entries()) {
          const { length: bytes } = encoder.encode(chunk);
          assert(chunk.isWellFormed() && bytes > 0 && bytes <= CHUNK_BYTES, `${bytes} bytes`);
          assert(bytes > CHUNK_BYTES - 4 || index === chunks.length - 1, "a chunk is not full");
        }
      }
    }
  }
});

Deno.test("SP1 utf8Chunks() takes text with half a pair of surrogates as it is", () => {
  const text = "\ud800".repeat(20_000);
  assertEquals([...utf8Chunks(text)].join(""), text);
});
