import node from "node:path/posix";
import * as own from "../../../scripts/npm_std/posix_path.ts";
import { assertEquals } from "../../assert.ts";

/** What paths are made of, the odd things too. */
const PARTS = ["a", "b", ".", "..", "/", "//", "c.d", ".e", "x.", "...", "a b", "ü", "\n", ""];

/** Paths of up to four parts, the same in every run: all of up to two, every 7th of the longer. */
function* paths(): Generator<string> {
  const { length } = PARTS;
  for (let n = 0; n < length ** 4; n += n < length ** 2 ? 1 : 7) {
    yield [n, n / length, n / length ** 2, n / length ** 3]
      .map((digits) => PARTS[Math.floor(digits) % length]).join("");
  }
}

const ignore = Deno.build.os === "windows";

Deno.test("one path in, the same out as from Node", { ignore }, () => {
  for (const path of paths()) {
    for (const name of ["normalize", "basename", "extname", "isAbsolute", "resolve"] as const) {
      assertEquals(own[name](path), node[name](path), `${name} of ${JSON.stringify(path)}`);
    }
    const parent = node.dirname(path).replace(/(?<=.)\/+$/s, "");
    assertEquals(own.dirname(path), parent, `dirname of ${JSON.stringify(path)}`);
  }
});

Deno.test("two paths in, the same out as from Node", { ignore }, () => {
  const some = [...paths()].filter((_, index) => index % 61 === 0);
  for (const first of some) {
    for (const second of some) {
      for (const name of ["join", "resolve", "relative"] as const) {
        const given = `${name} of ${JSON.stringify([first, second])}`;
        assertEquals(own[name](first, second), node[name](first, second), given);
      }
    }
  }
});
