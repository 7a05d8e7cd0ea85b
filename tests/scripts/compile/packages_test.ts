import { join } from "@std/path";
import {
  datePackages,
  findPackages,
  licences,
  namelessFiles,
} from "../../../scripts/compile/packages.ts";
import { FILE_DATE } from "../../../scripts/compile/stage.ts";
import { assert, assertEquals } from "../../assert.ts";

const FILES = {
  "one.example/a/1.0.0/package.json": `{"license": "MIT"}`,
  "one.example/a/1.0.0/LICENSE": "Do what you like.\n",
  "one.example/a/1.0.0/dist/a.js": "",
  "one.example/a/1.0.1/package.json": "{}",
  "one.example/@s/b/2.0.0-rc.1/package.json": "{}",
  "one.example/@s/b/2.0.0-rc.1/src/x/licence.md": "Of a part.",
  "two.example/c/3.0.0/package.json": `{"license": "ISC"}`,
  "two.example/c/3.0.0/Makefile": "",
};

/** A cache with these files, and a lock file that names these packages. */
async function withCache(
  keys: readonly string[],
  check: (lock: string, cache: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await Deno.mkdir(join(folder, "npm", path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, "npm", path), text);
    }
    const lock = join(folder, "deno.lock");
    const npm = Object.fromEntries(keys.map((key) => [key, {}]));
    await Deno.writeTextFile(lock, JSON.stringify({ npm }));
    await check(lock, join(folder, "npm"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const LOCKED = ["c@3.0.0", "a@1.0.0_zod@4.6.7", "@s/b@2.0.0-rc.1_a@1.0.0_@s+c@1.0.0"];

Deno.test("findPackages() finds what the lock file names, whatever registry it came from", async () => {
  await withCache(LOCKED, async (lock, cache) => {
    const found = await findPackages(lock, cache) ?? [];
    assertEquals(found.map(({ name }) => name), ["@s/b 2.0.0-rc.1", "a 1.0.0", "c 3.0.0"]);
    assertEquals(found.flatMap(({ files }) => files).length, 7);
  });
});

Deno.test("findPackages() finds nothing while one of them is missing", async () => {
  await withCache([...LOCKED, "d@1.0.0"], async (lock, cache) => {
    assertEquals(await findPackages(lock, cache), undefined);
    assertEquals(await findPackages(lock, join(cache, "nowhere")), undefined);
  });
});

Deno.test("D1 datePackages() gives every file of theirs the one date, and leaves others alone", async () => {
  await withCache(LOCKED, async (lock, cache) => {
    assert(await datePackages(await findPackages(lock, cache) ?? []));
    for (const path of Object.keys(FILES)) {
      const dated = (await Deno.stat(join(cache, path))).mtime?.getTime() === FILE_DATE.getTime();
      assertEquals(dated, !path.includes("1.0.1"), path);
    }
  });
});

Deno.test("D1 what has no extension is left out, and licences are kept in one text", async () => {
  await withCache(LOCKED, async (lock, cache) => {
    const found = await findPackages(lock, cache) ?? [];
    const nameless = namelessFiles(found).map((file) => file.slice(cache.length + 1));
    assertEquals(nameless.map((file) => file.replaceAll("\\", "/")), [
      "one.example/a/1.0.0/LICENSE",
      "two.example/c/3.0.0/Makefile",
    ]);
    assertEquals((await licences(found)).split("\n\n----\n\n"), [
      "@s/b 2.0.0-rc.1: unknown\n\nOf a part.",
      "a 1.0.0: MIT\n\nDo what you like.",
      "c 3.0.0: ISC\n",
    ]);
  });
});
