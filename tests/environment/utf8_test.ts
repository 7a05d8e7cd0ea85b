import { countCharacters, incompleteTail, indexOfCharacter } from "../../lib/environment/utf8.ts";
import { assertEquals } from "../assert.ts";

Deno.test("countCharacters() counts code points, a lone surrogate as one", () => {
  for (
    const text of ["", "abc", "é€", "a😀b", "😀😀", "\ud83d", "\ude00\ud83d", "\ud83d\ud83d\ude00"]
  ) {
    assertEquals(countCharacters(text), [...text].length, JSON.stringify(text));
  }
});

Deno.test("indexOfCharacter() never points into a surrogate pair and stops at the end", () => {
  assertEquals([0, 1, 2, 3, 9].map((n) => indexOfCharacter("a😀b", n)), [0, 1, 3, 4, 4]);
  assertEquals(indexOfCharacter("abc", -1), 0);
});

Deno.test("P5 B03 incompleteTail() finds where a character is cut", () => {
  const cases: [number[], number][] = [
    [[], 0],
    [[0x61], 0],
    [[0xc3], 1],
    [[0xc3, 0xa9], 0],
    [[0xe2], 1],
    [[0xe2, 0x82], 2],
    [[0xe2, 0x82, 0xac], 0],
    [[0xf0, 0x9f, 0x98], 3],
    [[0xf0, 0x9f, 0x98, 0x80], 0],
    [[0x61, 0x80], 0],
    [[0x80, 0x80, 0x80], 0],
    [[0xff], 0],
    [[0xc0], 0],
    [[0xf5], 0],
    [[0xe0, 0x80], 0],
    [[0xe0, 0xa0], 2],
    [[0xed, 0xa0], 0],
    [[0xed, 0x9f], 2],
    [[0xf0, 0x8f], 0],
    [[0xf4, 0x90], 0],
    [[0xf4, 0x8f, 0xbf], 3],
  ];
  for (const [bytes, expected] of cases) {
    assertEquals(incompleteTail(new Uint8Array(bytes)), expected, bytes.join());
  }
});

Deno.test("P5 cutting at incompleteTail() decodes to what the whole decodes to", () => {
  const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // Every byte that the decoder treats in a way of its own.
  const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed]
    .concat([0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff]);
  for (let round = 0; round < 20_000; round++) {
    const bytes = Uint8Array.from(
      { length: 8 },
      () => edges[Math.floor(Math.random() * edges.length)]!,
    );
    const read = 1 + round % 8;
    const cut = read - incompleteTail(bytes.subarray(0, read));
    const parts = decode(bytes.subarray(0, cut)) + decode(bytes.subarray(cut));
    assertEquals(parts, decode(bytes), `${[...bytes]} read ${read}`);
  }
});
