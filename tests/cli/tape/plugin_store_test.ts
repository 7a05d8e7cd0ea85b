import { join } from "@std/path";
import { FileMediaStore } from "../../../lib/tape/file_media_store.ts";
import { messageEntry } from "../../../lib/tape/entry.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../../assert.ts";
import { sampleMedia } from "../../contract/media_store.ts";
import { TapeHome } from "./tape_home.ts";

const MEMORY_STORE = import.meta.resolve("../../../lib/tape/memory_store.ts");

/** Writes a plugin whose store holds one tape, `remote`, with that content; returns its path. */
async function writePlugin(home: TapeHome, content: unknown): Promise<string> {
  const path = join(home.bench.root, "plugin.ts");
  await Deno.writeTextFile(
    path,
    `import { MemoryTapeStore } from ${JSON.stringify(MEMORY_STORE)};
    export default () => ({
      name: "remote-tapes",
      hooks: {
        async provideTapeStore() {
          const store = new MemoryTapeStore();
          const payload = { role: "user", content: ${JSON.stringify(content)} };
          await store.append("remote", [{ kind: "message", payload }]);
          return store;
        },
      },
    });`,
  );
  return path;
}

Deno.test("H2 L1 bub tape looks into the store that a plugin provides", async () => {
  await using home = await TapeHome.open();
  await home.append(home.name(), messageEntry({ role: "user", content: "a file" }));
  const plugin = await writePlugin(home, "from afar");
  const list = await home.run("list", "--json", "--plugin", plugin);
  assertEquals(JSON.parse(list.stdout).map((row: { title: string }) => row.title), ["from afar"]);
  const show = await home.run("show", "rem", "--plugin", plugin);
  assertMatch(show.stdout, /^#1 message user .*\nfrom afar\n\n$/);
  const archives = await home.run("search", "afar", "rem", "--archives", "--plugin", plugin);
  assertEquals([archives.code, archives.stdout], [2, ""]);
  assertStringIncludes(archives.stderr, "a plugin keeps the tapes here");
  const removed = await home.run("rm", "remote", "-y", "--plugin", plugin);
  assertEquals(removed.stdout, "removed remote\n");
  assertStringIncludes((await home.run("show")).stdout, "a file");
});

Deno.test("TP12 H2 media stay that only a tape in a plugin's store refers to", async () => {
  await using home = await TapeHome.open();
  const media = new FileMediaStore(home.media);
  const kept = await media.put(sampleMedia("kept"));
  const orphan = await media.put(sampleMedia("orphan"));
  assertEquals(await home.files(home.media), [kept.sha256, orphan.sha256].sort());
  const plugin = await writePlugin(home, [kept]);
  const { stdout } = await home.run("prune", "-y", "--older-than", "1d", "--plugin", plugin);
  assertEquals(stdout, "removed 1 media file without a tape, 6 B\n");
  assertEquals(await home.files(home.media), [kept.sha256]);
});
