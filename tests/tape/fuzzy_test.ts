import Fuse from "fuse.js";
import { assert, assertEquals } from "../assert.ts";
import { FuzzyMatcher } from "../../lib/tape/fuzzy.ts";

const matches = (query: string, texts: readonly string[]) =>
  Array.fromAsync(new FuzzyMatcher(query).matches(texts));

Deno.test("TP7 typing errors are forgiven up to 0.3 of the query, wherever the words stand", async () => {
  const texts = [
    "x".repeat(300) + " the permission was denied",
    "nothing of the kind",
    "permision",
    "perm",
  ];
  assertEquals(await matches("permisson", texts), [0, 2]);
  assertEquals(await matches("PERMISSON", texts), [0, 2]);
});

Deno.test("TP7 queries under 3 characters have no pieces, so nothing nearly matches", () => {
  for (const query of ["a", "ab", "😀😀", "測試"]) {
    assertEquals(new FuzzyMatcher(query).pieces, []);
  }
  assert(new FuzzyMatcher("測試中").pieces.length > 0);
});

Deno.test("TP7 every text that fuse.js matches holds one of the pieces", () => {
  const words = "alpha beta network permission denied return value session anchor whisky".split(
    " ",
  );
  let state = 7;
  const random = (n: number) => (state = state * 1103515245 + 12345 & 0x7fffffff) % n;
  const texts = Array.from(
    { length: 400 },
    () => Array.from({ length: 12 }, () => words[random(words.length)]).join(" "),
  );
  const mistype = (text: string) => {
    const at = random(text.length);
    const letter = "abcxyz"[random(6)];
    return text.slice(0, at) + letter + text.slice(at + random(3));
  };
  let found = 0;
  for (let round = 0; round < 60; round++) {
    let query = Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join(" ");
    for (let errors = random(4); errors > 0; errors--) query = mistype(query);
    const { pieces } = new FuzzyMatcher(query);
    const fuse = new Fuse(texts, { threshold: 0.3, ignoreLocation: true, includeScore: true });
    for (const { item } of fuse.search(query)) {
      found++;
      assert(pieces.some((piece) => item.includes(piece)), `${query} / ${item}`);
    }
  }
  assert(found > 500, `${found}`);
});

Deno.test("TP7 the pieces hold against as many errors as can be, one in each but one", () => {
  for (let length = 4; length <= 32; length++) {
    const query = Array.from({ length }, (_, n) => String.fromCharCode(97 + n)).join("");
    const errors = Math.floor(0.3 * length);
    const text = Array.from(query);
    for (let n = 0; n < errors; n++) text[Math.floor((n + 0.5) * length / errors)] = "#";
    const mistyped = text.join("");
    const fuse = new Fuse([mistyped], { threshold: 0.3, ignoreLocation: true });
    assertEquals(fuse.search(query).length, 1, mistyped);
    const { pieces } = new FuzzyMatcher(query);
    assert(pieces.some((piece) => mistyped.includes(piece)), mistyped);
  }
});

Deno.test("TP7 a query of many words must match as a whole", async () => {
  const query = "the network connection was refused by the remote server";
  assertEquals(
    await matches(query, [
      "so the netwrk connection was refusd by the remote servr again",
      "the network connection was refus but something else is written here instead",
    ]),
    [0],
  );
});

Deno.test("TP7 locate() gives the words that were taken for the query", async () => {
  const matcher = new FuzzyMatcher("permisson");
  const text = "before the permission after";
  const span = await matcher.locate(text);
  assert(span !== null);
  assert("permission".includes(text.slice(span.start, span.end).trim()), JSON.stringify(span));
});
